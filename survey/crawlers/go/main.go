// Crawls from a URL with a Go library: crawl LIBRARY AGENT SEED.
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/gocolly/colly/v2"
)

const (
	agent   = 2
	seed    = 3
	timeout = 3 * time.Second
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: crawl colly AGENT SEED")
		os.Exit(2)
	}
	switch os.Args[1] {
	case "colly":
		byColly(os.Args[agent], os.Args[seed])
	default:
		fmt.Fprintln(os.Stderr, "no library", os.Args[1])
		os.Exit(2)
	}
}

func byColly(agent, seed string) {
	crawler := colly.NewCollector(colly.UserAgent(agent), colly.MaxDepth(5))
	crawler.IgnoreRobotsTxt = false
	crawler.SetRequestTimeout(timeout)
	crawler.OnHTML("a[href]", func(link *colly.HTMLElement) {
		_ = link.Request.Visit(link.Attr("href"))
	})
	_ = crawler.Visit(seed)
	crawler.Wait()
}
