from typing import Dict, List, Literal, Optional, Sequence, Tuple, Union, final

Edition = Literal["google-2018", "google-2019", "google-2022", "rfc9309", "aipref-2026-08"]
"""The published editions, and one draft: ``aipref-2026-08`` may change with its documents and is never a default."""

Vocabulary = Literal["vocab-07", "vocab-08"]

Preference = Literal["allowed", "disallowed", "unknown"]

Header = Union[None, bytes, str, Sequence[Union[bytes, str]]]
"""The values of the ``Content-Usage`` field lines of an answer: one, or several in their order."""

Agent = Union[str, Sequence[str]]
"""A crawler's product token, or several, most specific first: it follows the groups of the first that the file names.

``"*"`` is a crawler without a token, which follows the groups of ``*``.
"""

__version__: str

def parse(
    robots_txt: Union[bytes, str], *, edition: Edition = "google-2022", limit: Optional[int] = None
) -> RobotsTxt:
    """Read a robots.txt; any octets are one, and what is no rule is left alone.

    The default edition is Google's text of the RFC 9309 era; where it is silent, RFC 9309 holds. ``limit`` is the number
    of octets that are read, at most 512 MiB; by default it is 500 KiB. A line that the limit cuts is not read.

    Raises:
        ValueError: there is no such edition, or the limit is out of range.
    """

def product_tokens(header: str) -> List[str]:
    """Return the product tokens of a whole ``User-Agent`` header, most specific first.

    >>> product_tokens("Mozilla/5.0 (compatible; ExampleBot/0.1; https://example.com/bot.html)")
    ['ExampleBot']

    Raises:
        ValueError: the header names no product.
    """

@final
class RobotsTxt:
    """A parsed robots.txt: parse once, ask often. It may be shared by threads."""

    @property
    def edition(self) -> str: ...
    @property
    def sitemaps(self) -> List[str]:
        """The sitemaps as written, in the order of the file."""

    def allows(self, agent: Agent, url: str) -> bool:
        """Return whether a crawler may fetch a URL, which is a whole one or path and query.

        Raises:
            ValueError: the agent is no product token, or the URL is none.
        """

    def verdict(self, agent: Agent, url: str) -> Verdict:
        """Return whether a crawler may fetch a URL, and why.

        Raises:
            ValueError: the agent is no product token, or the URL is none.
        """

    def usage(
        self, agent: Agent, url: str, *, header: Header = None, vocabulary: Vocabulary = "vocab-07"
    ) -> Usage:
        """Return for what the content of a URL may be used, by the draft edition ``aipref-2026-08``.

        ``header`` has the ``Content-Usage`` field lines of the answer. Under the other editions no line of the file
        states a preference.

        Raises:
            ValueError: the agent is no product token, or the URL is none, or there is no such vocabulary.
        """

    def rules_for(self, agent: Agent) -> RuleSet:
        """Compile the rules that a crawler follows, for many URLs.

        Raises:
            ValueError: the agent is no product token.
        """

    def values(self, name: str, agent: Optional[Agent] = None) -> List[str]:
        """Return the values of a field such as ``request-rate``, as written, in the order of the file.

        With an agent they are those after the user-agent line by which the crawler follows its groups. Otherwise they
        are those of the whole file.

        Raises:
            ValueError: the agent is no product token.
        """

    def crawl_delay(self, agent: Agent) -> Optional[float]:
        """Return the seconds of the first ``crawl-delay`` after the crawler's user-agent line; no edition defines it.

        Raises:
            ValueError: the agent is no product token.
        """

@final
class RuleSet:
    """The rules that one crawler follows. They need the file no more, and may be shared by threads."""

    @property
    def rules(self) -> List[Tuple[str, str]]:
        """``allow`` or ``disallow``, and the path pattern as written, in the order of the file."""

    def allows(self, url: str) -> bool:
        """Return whether the crawler may fetch a URL.

        Raises:
            ValueError: the URL is none.
        """

    def verdict(self, url: str) -> Verdict:
        """Return whether the crawler may fetch a URL, and why.

        Raises:
            ValueError: the URL is none.
        """

    def usage(
        self, url: str, *, header: Header = None, vocabulary: Vocabulary = "vocab-07"
    ) -> Usage:
        """Return for what the content of a URL may be used, by the draft edition ``aipref-2026-08``.

        ``header`` has the ``Content-Usage`` field lines of the answer. Under the other editions no line of the file
        states a preference.

        Raises:
            ValueError: the URL is none, or there is no such vocabulary.
        """

    def __len__(self) -> int: ...

@final
class Verdict:
    """Whether a URL may be fetched, and what decided. It is true where the URL may be fetched; ``str`` tells all of it."""

    @property
    def allowed(self) -> bool: ...
    @property
    def reason(self) -> str:
        """One of ``longest-rule``, ``allow-wins-tie``, ``no-rule-matches``, ``no-rules``, ``no-group``, ``robots-txt-itself``."""

    @property
    def rule(self) -> Optional[Tuple[str, str]]:
        """The rule that decided: ``allow`` or ``disallow``, and the path pattern as written."""

    @property
    def line(self) -> Optional[int]:
        """The line of that rule, from 1."""

    @property
    def user_agent_line(self) -> Optional[int]:
        """The user-agent line by which the crawler follows the group, from 1."""

    def __bool__(self) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Usage:
    """For what the content of a URL may be used, and what decided; ``str`` tells all of it."""

    @property
    def allowed(self) -> bool:
        """Whether the URL may be fetched."""

    @property
    def preferences(self) -> Optional[Dict[str, Preference]]:
        """The preference for each category, or None if the URL may not be fetched: then no preference applies."""

    @property
    def lines(self) -> List[int]:
        """The ``Content-Usage`` lines that decide, from 1."""

    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
