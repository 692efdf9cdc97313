package vectors

import (
	"strconv"
	"strings"
	"testing"
)

// A part of a file. If Text is nil, the part is in Base64.
type part struct {
	Text    *string
	Base64  []byte
	Times   int
	Counter string
}

// Returns the octets of a file. The parts of a long file are joined.
func octets(t *testing.T, text *string, base64 []byte, parts []part, length int) []byte {
	if parts == nil {
		parts = []part{{Text: text, Base64: base64}}
		length = -1
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
	if length >= 0 && len(octets) != length {
		t.Fatalf("%d octets instead of %d", len(octets), length)
	}
	return octets
}
