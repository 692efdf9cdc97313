"""The protocol, for adapters in Python: JSON lines on standard input and output.

Start at `serve`. This module contains no code for a particular peer.
"""

import base64
import json
import sys
from urllib.parse import quote

# The characters that RFC 3986 allows in a URL: the reserved characters and the percent sign; `quote` adds the
# unreserved characters.
RFC_3986 = "%:/?#[]@!$&'()*+,;="


class Unsupported(Exception):
    """Raised if the peer has no interface for the question; the text gives the reason."""


class Question:
    """One question, with its robots.txt decoded on demand."""

    def __init__(self, fields):
        self.fields = fields

    @property
    def octets(self):
        """The robots.txt, as octets."""
        return base64.b64decode(self.fields["robots_txt"], validate=True)

    @property
    def text(self):
        """The robots.txt as text, for peers that take no octets.

        The decoder drops a byte order mark, and octets that are not UTF-8 become U+FFFD.
        """
        return self.octets.decode("utf-8-sig", errors="replace")

    @property
    def tokens(self):
        """The crawler's product tokens, most specific first."""
        return self.fields["crawler"]

    @property
    def token(self):
        """The crawler's product token, for peers that take only one."""
        if len(self.tokens) != 1:
            raise Unsupported("this parser accepts one product token, not a list")
        return self.tokens[0]

    @property
    def url(self):
        """The URL as the question contains it."""
        return self.fields["url"]

    @property
    def encoded_url(self):
        """The URL for peers whose callers must percent-encode it (RFC 3986).

        The observed profile records the behaviour for any text, so there the URL stays unchanged.
        """
        observed = self.fields.get("edition") == "google-cpp"
        return self.url if observed else quote(self.url, safe=RFC_3986)


def verdict(allowed, line=0):
    """The answer to a verdict question; a line of 0 means that no line decided."""
    answer = {"verdict": "allow" if allowed else "disallow"}
    return answer | {"line": line} if line > 0 else answer


def serve(name, version, answers, editions=("rfc9309",)):
    """Answers questions until standard input ends.

    The keys of `answers` are the kinds of question that the peer can answer. The function of a kind receives a
    `Question` and returns the fields of the answer.
    """
    out, sys.stdout = sys.stdout, sys.stderr  # A peer that prints must not break the protocol.
    hello = {"protocol": 1, "name": name, "version": version, "language": "python"}
    hello |= {"answers": list(answers), "editions": list(editions)}
    for line in sys.stdin.buffer:
        try:
            fields = json.loads(line)
        except ValueError as error:
            fields = {}
            answer = {"error": f"not a JSON line: {error}"}
        else:
            answer = hello if fields.get("ask") == "hello" else _answer(answers, fields)
        if answer is not hello:
            answer = {"id": fields.get("id")} | answer
        out.write(json.dumps(answer) + "\n")
        out.flush()


def _answer(answers, fields):
    try:
        if fields["ask"] not in answers:
            raise Unsupported(f"no interface for {fields['ask']} questions")
        return answers[fields["ask"]](Question(fields))
    except Unsupported as reason:
        return {"unsupported": str(reason)}
    except Exception as error:  # An exception of a peer is its answer to this question.
        return {"error": f"{type(error).__name__}: {error}"}
