// Package protocol is the protocol for adapters in Go: JSON lines on standard input and output.
// Start at Serve. This package contains no code for a particular peer.
package protocol

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
)

// Answer holds the fields of an answer.
type Answer map[string]any

// Unsupported is returned if the peer has no interface for the question; the text gives the reason.
type Unsupported string

func (reason Unsupported) Error() string { return string(reason) }

// Question is one question.
type Question struct {
	ID        any      `json:"id"`
	Ask       string   `json:"ask"`
	RobotsTxt string   `json:"robots_txt"`
	Crawler   []string `json:"crawler"`
	URL       string   `json:"url"`
}

// Octets returns the robots.txt.
func (q Question) Octets() []byte {
	octets, err := base64.StdEncoding.DecodeString(q.RobotsTxt)
	if err != nil {
		panic(err)
	}
	return octets
}

// Token returns the crawler's product token, for peers that take only one.
func (q Question) Token() (string, error) {
	if len(q.Crawler) != 1 {
		return "", Unsupported("this parser accepts one product token, not a list")
	}
	return q.Crawler[0], nil
}

// PathAndQuery returns the URL's path and query as written, for peers that take a path.
func (q Question) PathAndQuery() string {
	path, _, _ := strings.Cut(q.URL, "#")
	if _, rest, found := strings.Cut(path, "://"); found {
		start := strings.IndexAny(rest, "/?")
		if start < 0 {
			return "/"
		}
		path = rest[start:]
	}
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return path
}

// Verdict returns the answer to a verdict question.
func Verdict(allowed bool) Answer {
	if allowed {
		return Answer{"verdict": "allow"}
	}
	return Answer{"verdict": "disallow"}
}

// Sitemaps returns the answer to a sitemaps question.
func Sitemaps(urls []string) Answer {
	if urls == nil {
		urls = []string{}
	}
	return Answer{"sitemaps": urls}
}

// Kind is a kind of question that a peer can answer, with the function that answers it.
type Kind struct {
	Ask    string
	Answer func(Question) (Answer, error)
}

// Serve answers questions until standard input ends. module is the path of the peer's module, from which its version is
// read.
func Serve(name, module string, editions []string, kinds ...Kind) {
	out := bufio.NewWriter(os.Stdout)
	os.Stdout = os.Stderr // A peer that prints must not break the protocol.
	asks := make([]string, 0, len(kinds))
	for _, kind := range kinds {
		asks = append(asks, kind.Ask)
	}
	hello := Answer{
		"protocol": 1, "name": name, "version": version(module), "language": "go",
		"answers": asks, "editions": editions,
	}
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) == 0 && err != nil {
			return
		}
		var question Question
		reply := Answer{}
		if wrong := json.Unmarshal(line, &question); wrong != nil {
			reply["error"] = fmt.Sprintf("not a JSON line: %v", wrong)
		} else if question.Ask == "hello" {
			reply = hello
		} else {
			reply = answer(kinds, question)
		}
		if question.Ask != "hello" {
			reply["id"] = question.ID
		}
		written, err := json.Marshal(reply)
		if err != nil {
			panic(err)
		}
		out.Write(append(written, '\n'))
		out.Flush()
	}
}

// answer asks the peer. If the peer panics, the panic becomes the answer to this question.
func answer(kinds []Kind, question Question) (reply Answer) {
	defer func() {
		if panicked := recover(); panicked != nil {
			reply = Answer{"error": fmt.Sprintf("panic: %v", panicked)}
		}
	}()
	for _, kind := range kinds {
		if kind.Ask != question.Ask {
			continue
		}
		reply, err := kind.Answer(question)
		var unsupported Unsupported
		switch {
		case errors.As(err, &unsupported):
			return Answer{"unsupported": unsupported.Error()}
		case err != nil:
			return Answer{"error": err.Error()}
		}
		return reply
	}
	return Answer{"unsupported": "no interface for " + question.Ask + " questions"}
}

func version(module string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dependency := range info.Deps {
			if dependency.Path == module {
				return strings.TrimPrefix(dependency.Version, "v")
			}
		}
	}
	return ""
}
