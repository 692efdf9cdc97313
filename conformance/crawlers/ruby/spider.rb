# Crawls from a URL by ruby-spider: spider.rb SEED.
require "spider"

Spider.start_at(ARGV[0]) { }
