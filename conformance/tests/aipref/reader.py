"""A reader of the AI preference drafts that shares no code with this workspace.

It reads robots.txt according to RFC 9309 and attach-05, and dictionaries with the package http-sf. Its only source is our
reading of the drafts (the rows of documents.yaml, and the open points in docs/aipref.md); the engine is not a source. RFC
9309 does not say what a byte order mark before the first line means, so the answers with it and without it are both
permitted.

Each line of standard input is a JSON object: `robots_txt` and the list `content_usage` in base64, `crawler`, `url` (path
and query). Each line of standard output is a list of answers: the answers that the drafts permit under any reading of
their open points. An answer is "not-applicable", or an object with the categories whose preference is not unknown.
"""

import base64
import itertools
import json
import re
import sys

import http_sf

CATEGORIES = ("train-ai", "search")
POINTS = ("star", "empty", "tab", "slash", "spelling", "prefix", "semicolon")
UNRESERVED = set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


def dictionary(octets, lenient):
    """Returns the preferences that a dictionary states, as a map from categories to "allowed" or "disallowed"."""
    if lenient:
        octets = re.sub(rb"[; ]+$", b"", octets)
    if any(octet > 0x7F for octet in octets):
        return {}
    try:
        members = http_sf.parse(octets, tltype="dictionary")
    except Exception:
        return {}
    stated = {}
    for label in CATEGORIES:
        value = members.get(label)
        if isinstance(value, tuple) and isinstance(value[0], http_sf.Token):
            word = {"y": "allowed", "n": "disallowed"}.get(str(value[0]))
            if word:
                stated[label] = word
    return stated


def combined(statements):
    """Returns for each category `disallowed` if a statement disallows it, otherwise the preference of a statement."""
    answer = {}
    for statement in statements:
        for label, word in statement.items():
            if answer.get(label) != "disallowed":
                answer[label] = word
    return answer


def normal(path):
    """Returns a path with the percent-encoding that RFC 9309, 2.2.2, compares. `*` and `$` are not encoded."""
    out, at = bytearray(), 0
    while at < len(path):
        escape = re.match(rb"%([0-9A-Fa-f]{2})", path[at:])
        if escape:
            octet = int(escape[1], 16)
            out += bytes([octet]) if octet in UNRESERVED else b"%%%02X" % octet
            at += 3
        else:
            out += bytes([path[at]]) if path[at] < 0x80 else b"%%%02X" % path[at]
            at += 1
    return bytes(out)


def matches(pattern, url, prefix=False):
    if prefix:
        return url.startswith(pattern)
    end = b"$" if pattern.endswith(b"$") else b""
    parts = (pattern[:-1] if end else pattern).split(b"*")
    return re.match(b".*".join(map(re.escape, parts)) + end, url, re.S) is not None


def groups(octets):
    """Returns the groups, each with the values of its user-agent lines, and its rules as pairs of field and value."""
    found, in_run = [], False
    for line in re.split(rb"\r\n|\r|\n", octets):
        line = line.split(b"#")[0]
        if b":" not in line:
            continue
        field, value = (part.strip(b" \t") for part in line.split(b":", 1))
        field = field.lower()
        if field == b"user-agent":
            if not in_run:
                found.append(([], []))
                in_run = True
            found[-1][0].append(value)
        elif field in (b"allow", b"disallow", b"content-usage"):
            in_run = False
            if found:
                found[-1][1].append((field, value))
    return found


def rules_of(octets, crawler):
    named, star = [], []
    for agents, rules in groups(octets):
        names = [re.match(rb"[A-Za-z_-]*", agent)[0].lower() for agent in agents]
        if crawler.lower().encode() in names:
            named.append(rules)
        if b"*" in agents:
            star.append(rules)
    return [rule for rules in named or star for rule in rules]


def may_fetch(rules, url):
    if url == b"/robots.txt":
        return True
    best = (-1, True)
    for field, value in rules:
        if field != b"content-usage" and value[:1] in (b"/", b"*") and matches(normal(value), url):
            best = max(best, (len(normal(value)), field == b"allow"))
    return best[1]


def statement(value, reading):
    """Returns the path and the preference of a value, or None if the value is not a statement."""
    if value[:1] == b"/" or (reading["star"] and value[:1] == b"*"):
        path, rest = re.match(rb"([^ \t]*)(.*)", value, re.S).groups()
        rest = rest.lstrip(b" ") if reading["tab"] else rest.lstrip(b" \t")
        if reading["empty"] and not rest.strip(b" \t"):
            return None
        return path, rest
    return None if value == b"" else (b"", value)


def usage(rules, url, header, reading):
    best, chosen = -1, []
    for field, value in rules:
        read = statement(value, reading) if field == b"content-usage" else None
        if read is None:
            continue
        path, preference = read
        if reading["slash"] and path == b"":
            path = b"/"
        pattern = normal(path)
        length = len(path) if reading["spelling"] else len(pattern)
        if path and not matches(pattern, url, reading["prefix"]):
            # In the reading `prefix`, the path also matches as a prefix without the dollar sign at its end.
            if not (reading["prefix"] and pattern.endswith(b"$") and url.startswith(pattern[:-1])):
                continue
        if length > best:
            best, chosen = length, []
        if length == best:
            chosen.append(dictionary(preference, reading["semicolon"]))
    if header:
        chosen.append(dictionary(b", ".join(header), reading["semicolon"]))
    return combined(chosen)


def relevant(rules, header):
    """Returns for each open point whether it can change the answer for these rules."""
    values = [value for field, value in rules if field == b"content-usage"]
    paths = [value.split()[0] for value in values if value[:1] in (b"/", b"*")]
    return {
        "star": any(value[:1] == b"*" for value in values),
        "empty": any(len(value.split()) == 1 for value in values if value[:1] in (b"/", b"*")),
        "tab": any(re.match(rb"[/*][^ \t]*[ ]*\t", value) for value in values),
        "slash": any(normal(path) in (b"/", b"/*") for path in paths),
        "spelling": any(normal(path) != path for path in paths),
        "prefix": any(b"*" in path or path.endswith(b"$") for path in paths),
        "semicolon": any(text.rstrip(b" \t").endswith(b";") for text in values + header),
    }


def answers(question):
    octets = base64.b64decode(question["robots_txt"])
    header = [base64.b64decode(line) for line in question["content_usage"]]
    url = normal(question["url"].encode())
    bodies = [octets, octets.removeprefix(b"\xef\xbb\xbf")]
    found = []
    for body in bodies if bodies[0] != bodies[1] else bodies[:1]:
        rules = rules_of(body, question["crawler"])
        for answer in answers_by(rules, url, header):
            if answer not in found:
                found.append(answer)
    return found


def answers_by(rules, url, header):
    """Returns the answers that the drafts permit under the readings of the open points that can change the answer."""
    if not may_fetch(rules, url):
        return ["not-applicable"]
    can_decide = relevant(rules, header)
    choices = [(False, True) if can_decide[point] else (False,) for point in POINTS]
    return [usage(rules, url, header, dict(zip(POINTS, choice))) for choice in itertools.product(*choices)]


for asked in sys.stdin:
    print(json.dumps(answers(json.loads(asked))), flush=True)
