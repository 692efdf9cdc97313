// Package vectors asks temoto/robotstxt the verdict questions of RFC 9309; known-failures.txt lists its wrong answers.
package vectors

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/temoto/robotstxt"
)

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

// Returns the questions for parsers about a crawler with one product token, because the library does not accept a list
// of tokens.
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

// Returns the names in a file, one on each line.
func known(t *testing.T, file string) map[string]bool {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, name := range strings.Fields(string(text)) {
		known[name] = true
	}
	return known
}

func TestVectors(t *testing.T) {
	known := known(t, "known-failures.txt")
	for _, v := range vectors(t) {
		t.Run(v.Name, func(t *testing.T) {
			allowed := false // If the library refuses the file, the answer counts as wrong.
			robots, err := robotstxt.FromBytes(octets(t, v.Text, v.Base64, v.Parts, v.Length))
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
	for name := range known {
		t.Errorf("known-failures.txt: no vector is named %q", name)
	}
}
