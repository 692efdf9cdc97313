// grobotstxt: a port of Google's C++ library.
package main

import (
	"github.com/jimsmart/grobotstxt"

	"peers/protocol"
)

func verdict(question protocol.Question) (protocol.Answer, error) {
	// AgentsAllowed takes a set of names, which has no order.
	token, err := question.Token()
	if err != nil {
		return nil, err
	}
	robots := string(question.Octets())
	return protocol.Verdict(grobotstxt.AgentsAllowed(robots, []string{token}, question.URL)), nil
}

func sitemaps(question protocol.Question) (protocol.Answer, error) {
	return protocol.Sitemaps(grobotstxt.Sitemaps(string(question.Octets()))), nil
}

func main() {
	protocol.Serve(
		"grobotstxt", "github.com/jimsmart/grobotstxt", []string{"rfc9309", "google-2022"},
		protocol.Kind{Ask: "verdict", Answer: verdict},
		protocol.Kind{Ask: "sitemaps", Answer: sitemaps},
	)
}
