// temoto/robotstxt: the parser that most crawlers in Go use.
package main

import (
	"github.com/temoto/robotstxt"

	"peers/protocol"
)

func verdict(question protocol.Question) (protocol.Answer, error) {
	token, err := question.Token()
	if err != nil {
		return nil, err
	}
	robots, err := robotstxt.FromBytes(question.Octets())
	if err != nil {
		return nil, err
	}
	return protocol.Verdict(robots.TestAgent(question.PathAndQuery(), token)), nil
}

func sitemaps(question protocol.Question) (protocol.Answer, error) {
	robots, err := robotstxt.FromBytes(question.Octets())
	if err != nil {
		return nil, err
	}
	return protocol.Sitemaps(robots.Sitemaps), nil
}

func main() {
	protocol.Serve(
		"temoto-robotstxt", "github.com/temoto/robotstxt", []string{"rfc9309"},
		protocol.Kind{Ask: "verdict", Answer: verdict},
		protocol.Kind{Ask: "sitemaps", Answer: sitemaps},
	)
}
