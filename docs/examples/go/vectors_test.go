// Package vectors asks temoto/robotstxt the questions of RFC 9309; known.txt lists its wrong answers.
package vectors

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/temoto/robotstxt"
)

type vector struct {
	ID, URL, Level, Section, Requirement, About string
	Allowed                                     bool
	Text                                        string `json:"robots_txt"`
	Octets                                      []byte `json:"robots_txt_base64"`
	Agent                                       string `json:"user_agent"`
}

// The library takes a path: the part after the host, without a fragment.
var host = regexp.MustCompile(`^[a-z]+://[^/?#]*|#.*`)

// Returns whether the library allows a URL. If it refuses the file, there is an error.
func (v vector) ask() (bool, error) {
	robots, err := robotstxt.FromBytes(append([]byte(v.Text), v.Octets...))
	if err != nil {
		return false, err
	}
	path := host.ReplaceAllString(v.URL, "")
	return robots.TestAgent("/"+strings.TrimPrefix(path, "/"), v.Agent), nil
}

// Reads a file of vectors. A string in the file is a comment; most of them have what a requirement says.
func read[V any](t *testing.T, file string) ([]V, map[string]string) {
	text, err := os.ReadFile(file)
	var items []json.RawMessage
	if err == nil {
		err = json.Unmarshal(text, &items)
	}
	if err != nil {
		t.Fatal(err)
	}
	var vectors []V
	says := map[string]string{}
	for _, item := range items {
		var v V
		var comment string
		if json.Unmarshal(item, &comment) == nil {
			id, _, _ := strings.Cut(comment, ":")
			says[id] = comment
		} else if err := json.Unmarshal(item, &v); err != nil {
			t.Fatal(err)
		} else {
			vectors = append(vectors, v)
		}
	}
	return vectors, says
}

// Returns the ids in a file, one at the begin of each line. A line that begins with # is a comment.
func known(t *testing.T, file string) map[string]bool {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, line := range strings.Split(string(text), "\n") {
		if id, _, _ := strings.Cut(line, " "); id != "" && id[0] != '#' {
			known[id] = true
		}
	}
	return known
}

func TestVectors(t *testing.T) {
	known := known(t, "known.txt")
	vectors, says := read[vector](t, "rfc9309.json")
	for _, v := range vectors {
		t.Run(v.ID, func(t *testing.T) {
			allowed, err := v.ask()
			right := err == nil && allowed == v.Allowed
			if right && known[v.ID] {
				t.Error("it passes; remove it from known.txt")
			}
			if right || known[v.ID] {
				return
			}
			message := fmt.Sprintf("%s, section %s: %s\n  %s\n", v.Level, v.Section, v.About, says[v.Requirement])
			for number, line := range strings.SplitAfter(v.Text+string(v.Octets), "\n") {
				message += fmt.Sprintf("  %3d %q\n", number+1, line)
			}
			message += fmt.Sprintf("  %s %s: expected %t, got %t, error %v\n", v.Agent, v.URL, v.Allowed, allowed, err)
			message += fmt.Sprintf("  known.txt: %s bug WHY", v.ID)
			if v.Level != "must" {
				t.Skip(message)
			}
			t.Error(message)
		})
		delete(known, v.ID)
	}
	for id := range known {
		t.Errorf("known.txt: no vector has the id %q", id)
	}
}
