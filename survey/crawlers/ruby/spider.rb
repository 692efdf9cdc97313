# Crawls from each URL of a file with ruby-spider, one after the other: spider.rb SEEDS.
require "spider"

File.readlines(ARGV[0], chomp: true).each { |url| Spider.start_at(url) { } }
