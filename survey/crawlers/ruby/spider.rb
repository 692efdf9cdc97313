# Crawls from a URL with ruby-spider: spider.rb SEED.
require "spider"

Spider.start_at(ARGV[0]) { }
