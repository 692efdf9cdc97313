// Crawls from each URL of a file with a Go library: crawl LIBRARY AGENT SEEDS.
package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/gocolly/colly/v2"
)

const (
	agent   = 2
	seeds   = 3
	timeout = 3 * time.Second
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: crawl colly AGENT SEEDS")
		os.Exit(2)
	}
	switch os.Args[1] {
	case "colly":
		byColly(os.Args[agent], os.Args[seeds])
	default:
		fmt.Fprintln(os.Stderr, "no library", os.Args[1])
		os.Exit(2)
	}
}

func byColly(agent, seeds string) {
	crawler := colly.NewCollector(colly.UserAgent(agent))
	crawler.IgnoreRobotsTxt = false
	crawler.SetRequestTimeout(timeout)
	crawler.OnHTML("a[href]", func(link *colly.HTMLElement) {
		_ = link.Request.Visit(link.Attr("href"))
	})
	file, err := os.ReadFile(seeds)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	for _, seed := range strings.Fields(string(file)) {
		_ = crawler.Visit(seed)
	}
	crawler.Wait()
}
