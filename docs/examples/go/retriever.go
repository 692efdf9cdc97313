package vectors

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/url"
	"strconv"
	"strings"

	"github.com/temoto/robotstxt"
)

const (
	day           = 24 * 60 * 60
	mostOctets    = 500 * 1024
	mostRedirects = 5
)

// A Reply is the result of one request: a status, or a failure.
type Reply struct {
	Status  int
	Failure string
	Fields  map[string]string // names in lower case
	Body    []byte
	Cut     bool
	Delay   int64 // in seconds
}

// An Entry contains what is known about the robots.txt of an origin. Times are in seconds.
type Entry struct {
	since, until int64 // when the last answer came, and when robots.txt must be requested again
	file         *robotstxt.RobotsData
	from         string            // the URL of the file
	conditions   map[string]string // the fields of a request that confirms it
	isMissing    bool
	isFailing    bool
	failingSince int64
}

// A Retriever is a small retriever that obeys RFC 9309: it fetches robots.txt, caches it, and decides what may be
// fetched. It uses no socket and no clock.
type Retriever struct {
	Token, Identification string
	// Send sends one request, and follows no redirect.
	Send func(url string, fields map[string]string, now int64) Reply
	// Entries has an entry for each origin. A new retriever with the same map continues after a restart.
	Entries map[string]*Entry
}

// Verdict returns whether a URL may be fetched, the reason, and the time after all requests.
func (r *Retriever) Verdict(page string, now int64) (bool, string, int64) {
	key, path := origin(page)
	entry := r.Entries[key]
	// An entry from the future was written with a wrong clock, so it is not used.
	if entry == nil || now < entry.since || now >= entry.until {
		entry, now = r.request(key, entry, now)
		r.Entries[key] = entry
	}
	switch {
	case !entry.isFailing && entry.isMissing:
		return true, "no-file", now
	case !entry.isFailing:
		return entry.file.TestAgent(path, r.Token), "rules", now
	case now-entry.failingSince <= 30*day:
		return false, "unreachable", now
	case entry.file != nil:
		return entry.file.TestAgent(path, r.Token), "last-copy", now
	}
	return true, "unreachable-for-long", now
}

// Requests robots.txt, and returns the new entry and the time.
func (r *Retriever) request(key string, known *Entry, now int64) (*Entry, int64) {
	if known == nil {
		known = &Entry{}
	}
	target := key + "/robots.txt"
	var reply Reply
	isConditional := false
	for hops := 0; hops <= mostRedirects; hops++ {
		fields := map[string]string{"user-agent": r.Identification, "accept-encoding": "gzip"}
		isConditional = known.from == target && len(known.conditions) > 0
		if isConditional {
			for name, value := range known.conditions {
				fields[name] = value
			}
		}
		reply = r.Send(target, fields, now)
		now += reply.Delay
		next := redirected(target, reply)
		if next == "" {
			break
		}
		target = next
	}
	entry := &Entry{since: now, until: now + day, file: known.file, from: known.from, conditions: known.conditions}
	if reply.Status == 304 && isConditional {
		return entry, now
	}
	if body, whole := decoded(reply); reply.Status/100 == 2 && whole {
		// If the library refuses a file, the rules are unknown, so nothing is allowed.
		file, err := robotstxt.FromBytes(body[:min(len(body), mostOctets)])
		if err == nil {
			entry.file, entry.from, entry.conditions = file, target, map[string]string{}
			for name, condition := range map[string]string{"etag": "if-none-match", "last-modified": "if-modified-since"} {
				if value := reply.Fields[name]; value != "" {
					entry.conditions[condition] = value
				}
			}
			return entry, now
		}
	}
	if reply.Status >= 300 && reply.Status < 500 && reply.Status != 304 {
		entry.isMissing = true
		return entry, now
	}
	entry.isFailing, entry.failingSince = true, now
	// If there was no request for a week, the site may have worked in between, so a new outage begins.
	if known.isFailing && now-known.since <= 7*day {
		entry.failingSince = known.failingSince
	}
	entry.until = now + 60*60
	if pause, err := strconv.ParseUint(reply.Fields["retry-after"], 10, 63); err == nil {
		entry.until = now + min(max(int64(pause), 60), day)
	}
	return entry, now
}

// Returns the cache key of a URL, and its path and query.
func origin(page string) (string, string) {
	parsed, err := url.Parse(page)
	if err != nil {
		return "", ""
	}
	host := strings.ToLower(parsed.Host)
	for scheme, port := range map[string]string{"http": ":80", "https": ":443"} {
		if parsed.Scheme == scheme {
			host = strings.TrimSuffix(host, port)
		}
	}
	return parsed.Scheme + "://" + host, parsed.RequestURI()
}

// Returns the target of a redirect, or an empty string.
func redirected(target string, reply Reply) string {
	switch reply.Status {
	case 301, 302, 303, 307, 308:
	default:
		return ""
	}
	base, err := url.Parse(target)
	location := reply.Fields["location"]
	if err != nil || location == "" {
		return ""
	}
	next, err := base.Parse(location)
	if err != nil {
		return ""
	}
	next.Fragment = ""
	return next.String()
}

// Returns the decoded body, and whether it is complete.
func decoded(reply Reply) ([]byte, bool) {
	switch reply.Fields["content-encoding"] {
	case "gzip", "x-gzip":
		reader, err := gzip.NewReader(bytes.NewReader(reply.Body))
		if err != nil {
			return nil, false
		}
		body, err := io.ReadAll(io.LimitReader(reader, mostOctets+1))
		return body, err == nil
	case "", "identity":
		return reply.Body, !reply.Cut || len(reply.Body) > mostOctets
	}
	return nil, false
}
