// Package vectors asks temoto/robotstxt what RFC 9309 settles; known-failures.txt holds what it answers otherwise.
package vectors

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/temoto/robotstxt"
)

// A part of a file: Base64 where Text is nil.
type part struct {
	Text    *string
	Base64  []byte
	Times   int
	Counter string
}

type vector struct {
	Name, About, Ask, Role string
	Text                   *string `json:"robots_txt"`
	Base64                 []byte  `json:"robots_txt_base64"`
	Parts                  []part  `json:"robots_txt_parts"`
	Length                 int     `json:"robots_txt_length"`
	Tokens                 []string
	Path                   string `json:"path_and_query"`
	Expected               struct{ Verdict string }
	Editions               map[string]struct{ Level, Section string }
}

// Returns the octets of a file, its parts joined.
func (v vector) octets(t *testing.T) []byte {
	parts := v.Parts
	if parts == nil {
		parts = []part{{Text: v.Text, Base64: v.Base64}}
	}
	var octets []byte
	for _, p := range parts {
		for number := 1; number <= max(p.Times, 1); number++ {
			switch {
			case p.Text == nil:
				octets = append(octets, p.Base64...)
			case p.Counter == "":
				octets = append(octets, *p.Text...)
			default:
				octets = append(octets, strings.ReplaceAll(*p.Text, p.Counter, strconv.Itoa(number))...)
			}
		}
	}
	if v.Parts != nil && len(octets) != v.Length {
		t.Fatalf("%d octets instead of %d", len(octets), v.Length)
	}
	return octets
}

// Returns what a parser is asked for a crawler of one product token; the library takes no list of them.
func vectors(t *testing.T) []vector {
	var suite struct{ Vectors []vector }
	text, err := os.ReadFile("vectors.json")
	if err == nil {
		err = json.Unmarshal(text, &suite)
	}
	if err != nil {
		t.Fatal(err)
	}
	var asked []vector
	for _, v := range suite.Vectors {
		if _, stated := v.Editions["rfc9309"]; stated && v.Ask == "verdict" && v.Role == "" && len(v.Tokens) == 1 {
			asked = append(asked, v)
		}
	}
	return asked
}

func TestVectors(t *testing.T) {
	text, err := os.ReadFile("known-failures.txt")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, name := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		known[name] = name != ""
	}
	for _, v := range vectors(t) {
		t.Run(v.Name, func(t *testing.T) {
			allowed := false // A file that the library refuses answers nothing.
			robots, err := robotstxt.FromBytes(v.octets(t))
			if err == nil {
				allowed = robots.TestAgent(v.Path, v.Tokens[0])
			}
			right := err == nil && allowed == (v.Expected.Verdict == "allow")
			switch {
			case right && known[v.Name]:
				t.Error("healed; remove it from known-failures.txt")
			case !right && !known[v.Name]:
				t.Errorf("%s expected %s, allowed %t, error %v", v.About, v.Expected.Verdict, allowed, err)
			}
		})
		delete(known, v.Name)
	}
	for name, is := range known {
		if is {
			t.Errorf("known-failures.txt: no vector is named %q", name)
		}
	}
}
