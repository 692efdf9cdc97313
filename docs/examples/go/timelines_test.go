package vectors

import (
	"fmt"
	"strings"
	"testing"
)

type line struct {
	URL     string
	From    int64
	When    *struct{ Field, Contains string }
	Delay   int64
	Status  int
	Failure string
	Fields  [][2]string
	Cut     bool
	Text    *string `json:"body"`
	Base64  []byte  `json:"body_base64"`
	Parts   []part  `json:"body_parts"`
	Length  int     `json:"body_length"`
}

type request struct {
	URL       string
	With      map[string]string
	Without   []string
	NotBefore int64 `json:"not_before"`
}

type timeline struct {
	ID, Requirement, About, Identification string
	Tokens                                 []string
	Network                                []line
	Steps                                  []struct {
		At      int64
		URLs    []string
		Restart bool
	}
	Expected struct {
		Timeline []struct {
			Requests *[]request
			AtLeast  *int `json:"at_least"`
			AtMost   *int `json:"at_most"`
			Verdicts []string
			Because  []string
		}
	}
	Editions map[string]string
}

type sent struct {
	url    string
	fields map[string]string
	at     int64
}

// Returns the answer of the script to a request. The last line that applies to the request is the answer.
func (v timeline) deliver(t *testing.T, request sent) Reply {
	key, _ := origin(request.url)
	isKnown := false
	for i := len(v.Network) - 1; i >= 0; i-- {
		l := v.Network[i]
		if other, _ := origin(l.URL); other == key {
			isKnown = true
		}
		holds := l.When == nil || strings.Contains(request.fields[l.When.Field], l.When.Contains)
		if l.URL != request.url || l.From > request.at || !holds {
			continue
		}
		fields := map[string]string{}
		for _, field := range l.Fields {
			fields[field[0]] = field[1]
		}
		body := octets(t, l.Text, l.Base64, l.Parts, l.Length)
		return Reply{l.Status, l.Failure, fields, body, l.Cut, l.Delay}
	}
	if isKnown {
		return Reply{Status: 404}
	}
	return Reply{Failure: "dns"}
}

// Returns a description of the first difference from the expected behaviour, or an empty string.
func (v timeline) problem(t *testing.T) string {
	var requests []sent
	retriever := Retriever{Token: v.Tokens[0], Identification: v.Identification, Entries: map[string]*Entry{}}
	if v.Identification == "" {
		retriever.Identification = v.Tokens[0]
	}
	retriever.Send = func(url string, fields map[string]string, now int64) Reply {
		requests = append(requests, sent{url, fields, now})
		return v.deliver(t, requests[len(requests)-1])
	}
	for i, step := range v.Steps {
		// The retriever stores its data only in the entries, so a restart changes nothing.
		requests = nil
		expected, now := v.Expected.Timeline[i], step.At
		for j, page := range step.URLs {
			allowed, because, later := retriever.Verdict(page, now)
			now = later
			if words := expected.Verdicts; len(words) > 0 {
				word := words[min(j, len(words)-1)]
				if word != "either" && allowed != (word == "allow") {
					return "the verdict on " + page + " is not " + word
				}
			}
			isReason := len(expected.Because) == 0
			for _, reason := range expected.Because {
				isReason = isReason || reason == because
			}
			if !isReason {
				return "the reason for " + page + " is " + because
			}
		}
		if expected.AtLeast != nil && len(requests) < *expected.AtLeast {
			return "too few requests"
		}
		if expected.AtMost != nil && len(requests) > *expected.AtMost {
			return "too many requests"
		}
		if expected.Requests == nil {
			continue
		}
		if len(requests) != len(*expected.Requests) {
			return "other requests than expected"
		}
		for j, wanted := range *expected.Requests {
			is := requests[j]
			if is.url != wanted.URL || is.at < wanted.NotBefore {
				return "a request for " + is.url
			}
			for name, text := range wanted.With {
				if !strings.Contains(is.fields[name], text) {
					return "a request without " + name
				}
			}
			for _, name := range wanted.Without {
				if _, has := is.fields[name]; has {
					return "a request with " + name
				}
			}
		}
	}
	return ""
}

// TestTimelines runs a small retriever through the timelines of RFC 9309; known-timelines.txt lists the timelines that
// it fails.
func TestTimelines(t *testing.T) {
	known := known(t, "known-timelines.txt")
	vectors, says := read[timeline](t, "fetch-vectors.json")
	for _, v := range vectors {
		stated, isStated := v.Editions["rfc9309"]
		if !isStated {
			continue
		}
		t.Run(v.ID, func(t *testing.T) {
			switch problem := v.problem(t); {
			case problem == "" && known[v.ID]:
				t.Error("it passes now; remove it from known-timelines.txt")
			case problem != "" && !known[v.ID]:
				message := fmt.Sprintf("%s: %s\n  %s\n  %s\n", stated, v.About, says[v.Requirement], problem)
				message += fmt.Sprintf("  known-timelines.txt: %s bug WHY", v.ID)
				if !strings.HasPrefix(stated, "must ") {
					t.Skip(message)
				}
				t.Error(message)
			}
		})
		delete(known, v.ID)
	}
	for id := range known {
		t.Errorf("known-timelines.txt: no timeline has the id %q", id)
	}
}
