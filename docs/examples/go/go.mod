module example.com/robots-vectors

go 1.22

require github.com/temoto/robotstxt v1.1.2
