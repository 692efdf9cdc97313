import os
from typing import Callable, Dict, Iterable, List, Literal, Optional, Protocol, Sequence, Tuple, Union, final

Edition = Literal["google-2018", "google-2019", "google-2022", "rfc9309", "aipref-2026-08"]
"""The published editions, and one draft: ``aipref-2026-08`` may change with its documents and is never a default."""

Vocabulary = Literal["vocab-07", "vocab-08"]

Preference = Literal["allowed", "disallowed", "unknown"]

Header = Union[None, bytes, str, Sequence[Union[bytes, str]]]
"""The values of the ``Content-Usage`` field lines of a page's response: one, or several in their order."""

Agent = Union[str, Sequence[str]]
"""A crawler's product token, or several, most specific first: the crawler follows the groups of the first token that
the file names.

``"*"`` is a crawler without a token, which follows the groups of ``*``.
"""

class _Url(Protocol):
    @property
    def scheme(self) -> str: ...
    @property
    def host(self) -> Optional[str]: ...

Url = Union[str, _Url]
"""A URL as text, or a URL of httpx or yarl."""

__version__: str

def parse(
    robots_txt: Union[bytes, str], *, edition: Edition = "google-2022", limit: Optional[int] = None
) -> RobotsTxt:
    """Read a robots.txt. Any octets are valid; lines that the edition does not define are ignored.

    The default edition is Google's text of 2022; RFC 9309 applies to points that this text does not mention. ``limit``
    is the number of octets that are read, at most 512 MiB; by default it is 500 KiB. A line that the limit cuts is not
    read.

    Raises:
        ValueError: there is no such edition, or the limit is out of range.
    """

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: Optional[object] = None) -> Tuple[object, object]: ...

class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> object: ...

Column = Union[_ArrowArray, _ArrowStream]
"""An Arrow array or chunked array of any library. A column of files may be binary or strings, the others are strings;
each may be dictionary or run-end encoded."""

@final
class Array:
    """An Arrow array. ``pyarrow.array``, ``polars.Series`` and other libraries read it without a copy."""

    def __arrow_c_array__(self, requested_schema: Optional[object] = None) -> Tuple[object, object]: ...
    def __arrow_c_schema__(self) -> object: ...
    def __len__(self) -> int: ...

def _arrow_verdicts(
    robots_txt: Column,
    agent: Union[Agent, Column],
    url: Union[str, Column],
    *,
    edition: Edition = "google-2022",
    detail: bool = False,
    errors: Literal["null", "raise"] = "null",
    threads: Optional[int] = None,
) -> Array:
    """Return whether each crawler may fetch each URL, as booleans.

    ``agent`` and ``url`` are a column or one value, and ``url`` may be a column of lists; then the answer has lists.
    With ``detail`` the answer has structs: ``allowed``, ``line``, ``rule``, ``reason`` and ``user_agent_line``.

    A question with a null, an invalid agent or an invalid URL has the answer null, and never an allow. ``reason`` says
    why. With ``errors="raise"``, the first invalid agent or URL raises an error. Equal files are parsed once. All
    processors are used unless ``threads`` is given.

    Raises:
        TypeError: a column has a wrong type.
        ValueError: the columns differ in length; there is no such edition; or, with ``errors="raise"``, an agent or a
            URL is invalid.
    """

def _arrow_usage(
    robots_txt: Column,
    agent: Union[Agent, Column],
    url: Union[str, Column],
    *,
    header: Header = None,
    vocabulary: Vocabulary = "vocab-07",
    edition: Edition = "aipref-2026-08",
    errors: Literal["null", "raise"] = "null",
    threads: Optional[int] = None,
) -> Array:
    """Return the preferences about the use of each URL's content, under the draft edition, as structs with a field for
    each category. ``header`` has the ``Content-Usage`` field lines of the responses, equal for all rows.

    The answer is null for a URL that may not be fetched, and for a question that verdicts answer with null.

    Raises:
        TypeError: a column has a wrong type.
        ValueError: as for verdicts, or the vocabulary does not exist.
    """

def _arrow_sitemaps(
    robots_txt: Column, *, edition: Edition = "google-2022", threads: Optional[int] = None
) -> Array:
    """Return the sitemaps of each file, as written: a list for each row.

    Raises:
        TypeError: the column has a wrong type.
        ValueError: there is no such edition.
    """

def _arrow_groups(
    robots_txt: Column, *, edition: Edition = "google-2022", threads: Optional[int] = None
) -> Array:
    """Return the groups of each file: a list for each row, of structs with ``user_agents`` and ``rules``. A rule has
    ``kind``, ``path`` and ``line``.

    Raises:
        TypeError: the column has a wrong type.
        ValueError: there is no such edition.
    """

def _arrow_access(status: Column, *, redirects: int = 0, edition: Edition = "google-2022") -> Array:
    """Return what the status of an answer for robots.txt means for the origin.

    The answers are ``full-allow``, ``full-disallow``, ``conditional-allow`` (the rules in the body decide) and
    ``follow-redirect`` (the answer of the target decides). ``redirects`` is the number of redirects that were followed
    before. If the edition calls the effect undefined, the answer is the safe one. A null, or a number that is not a
    status, has the answer null, which is never an allow.

    Raises:
        TypeError: the column does not have integers.
        ValueError: there is no such edition.
    """

@final
class Responses:
    """The responses of an archive, which an Arrow library reads once, as record batches."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

def _warc_responses(path: Union[str, os.PathLike[str]], *, edition: Edition = "google-2022") -> Responses:
    """Return the responses for robots.txt in a WARC archive: plain, gzip or zstd; ``-`` is standard input.

    The columns are ``offset`` (of the record in the archive), ``url``, ``date``, ``status``, ``fields`` (of HTTP),
    ``robots_txt`` (the file whose rules decide, decoded as a client would have), ``truncated`` (why the archive has only
    a part of the response), ``access`` (what the response means, as for `arrow.access`), ``reason`` and ``error``.

    A redirect has the file of its target if the archive has it within a day; otherwise, ``access`` is null, which is never
    an allow. A record that is damaged has an ``error``, and reading continues after it.

    Raises:
        OSError: the archive cannot be opened.
        ValueError: there is no such edition.
    """

def _governed(url: str) -> Optional[str]: ...
def _ftp_refusal(reply: bytes) -> Optional[int]: ...
def product_tokens(header: str) -> List[str]:
    """Return the product tokens of a whole ``User-Agent`` header, most specific first.

    >>> product_tokens("Mozilla/5.0 (compatible; ExampleBot/0.1; https://example.com/bot.html)")
    ['ExampleBot']

    Raises:
        ValueError: the header names no product.
    """

@final
class RobotsTxt:
    """A parsed robots.txt: parse it once and ask many questions. Threads may share it."""

    @property
    def edition(self) -> str: ...
    @property
    def sitemaps(self) -> List[str]:
        """The sitemaps as written, in the order of the file."""

    def allows(self, agent: Agent, url: str) -> bool:
        """Return whether a crawler may fetch a URL, given as a whole URL or as path and query.

        Raises:
            ValueError: the agent is not a product token, or the URL is invalid.
        """

    def verdict(self, agent: Agent, url: str) -> Verdict:
        """Return whether a crawler may fetch a URL, and why.

        Raises:
            ValueError: the agent is not a product token, or the URL is invalid.
        """

    def usage(
        self, agent: Agent, url: str, *, header: Header = None, vocabulary: Vocabulary = "vocab-07"
    ) -> Usage:
        """Return the preferences about the use of a URL's content, under the draft edition ``aipref-2026-08``.

        ``header`` has the ``Content-Usage`` field lines of the page's response. Under the other editions no line of the
        file states a preference.

        Raises:
            ValueError: the agent is not a product token, the URL is invalid, or the vocabulary does not exist.
        """

    def rules_for(self, agent: Agent) -> RuleSet:
        """Compile the rules that a crawler follows, for many URLs.

        Raises:
            ValueError: the agent is not a product token.
        """

    def values(self, name: str, agent: Optional[Agent] = None) -> List[str]:
        """Return the values of a field such as ``request-rate``, as written, in the order of the file.

        If an agent is given, the values come only from the lines after the user-agent line that selects its groups.
        Otherwise they come from the whole file.

        Raises:
            ValueError: the agent is not a product token.
        """

    def crawl_delay(self, agent: Agent) -> Optional[float]:
        """Return the seconds of the first valid ``crawl-delay`` after the crawler's user-agent line. No edition defines
        this field.

        Raises:
            ValueError: the agent is not a product token.
        """

@final
class RuleSet:
    """The rules that one crawler follows. They do not need the file, and threads may share them."""

    @property
    def rules(self) -> List[Tuple[str, str]]:
        """``allow`` or ``disallow``, and the path pattern as written, in the order of the file."""

    def allows(self, url: str) -> bool:
        """Return whether the crawler may fetch a URL.

        Raises:
            ValueError: the URL is invalid.
        """

    def verdict(self, url: str) -> Verdict:
        """Return whether the crawler may fetch a URL, and why.

        Raises:
            ValueError: the URL is invalid.
        """

    def usage(
        self, url: str, *, header: Header = None, vocabulary: Vocabulary = "vocab-07"
    ) -> Usage:
        """Return the preferences about the use of a URL's content, under the draft edition ``aipref-2026-08``.

        ``header`` has the ``Content-Usage`` field lines of the page's response. Under the other editions no line of the
        file states a preference.

        Raises:
            ValueError: the URL is invalid, or the vocabulary does not exist.
        """

    def __len__(self) -> int: ...

@final
class Verdict:
    """Whether a URL may be fetched, and the evidence. It is true if the URL may be fetched; ``str`` returns both
    as text."""

    @property
    def allowed(self) -> bool: ...
    @property
    def reason(self) -> str:
        """One of ``longest-rule``, ``allow-wins-tie``, ``no-rule-matches``, ``no-rules``, ``no-group`` and
        ``robots-txt-itself``."""

    @property
    def rule(self) -> Optional[Tuple[str, str]]:
        """The rule that decided: ``allow`` or ``disallow``, and the path pattern as written."""

    @property
    def line(self) -> Optional[int]:
        """The line number of the rule that decided. The first line of the file is 1."""

    @property
    def user_agent_line(self) -> Optional[int]:
        """The line number of the user-agent line that selects the group of the crawler. The first line is 1."""

    def __bool__(self) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Usage:
    """The preferences about the use of a URL's content, and the evidence; ``str`` returns both as text."""

    @property
    def allowed(self) -> bool:
        """Whether the URL may be fetched."""

    @property
    def preferences(self) -> Optional[Dict[str, Preference]]:
        """The preference for each category, or None if the URL may not be fetched: then no preference applies."""

    @property
    def lines(self) -> List[int]:
        """The line numbers of the ``Content-Usage`` lines that decide. The first line of the file is 1."""

    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

Failure = Literal["dns", "timeout", "invalid-response", "connection", "chunking", "incomplete"]

Basis = Literal[
    "rules",
    "stale-rules",
    "last-copy",
    "no-file",
    "unreachable",
    "unreachable-for-long",
    "robots-txt-itself",
]

class Mapping(Protocol):
    """A mapping that the user provides to keep records: a `dict`, a `shelve`, or a database with these two methods."""

    def __getitem__(self, key: str, /) -> bytes: ...
    def __setitem__(self, key: str, record: bytes, /) -> None: ...

Store = Union[MemoryStore, FileStore, Mapping]
"""Keeps records outside a cache. A store that fails is reported to the logger ``robots_verdicts``, and the cache
continues without it."""

@final
class Settings:
    """The settings of retrieval and caching. Times are seconds. The defaults are the numbers of the documents or, if
    they name no number, this project's choice."""

    def __new__(
        cls,
        *,
        edition: Edition = "google-2022",
        limit: Optional[int] = None,
        redirects: Optional[int] = None,
        shortest_life: Optional[float] = None,
        longest_life: Optional[float] = None,
        stale_while_revalidate: Optional[float] = None,
        stale_if_error: Optional[float] = None,
        first_retry: Optional[float] = None,
        retry_after_503: Optional[float] = None,
        longest_retry: Optional[float] = None,
        outage_gap: Optional[float] = None,
    ) -> Settings:
        """Make settings.

        Args:
            edition: the edition under which answers are read.
            limit: the maximum number of octets of a file that are used, after decoding; the default is 500 KiB.
            redirects: the maximum number of redirects that are followed; at least five.
            shortest_life: the minimum lifetime of an answer, even if `max-age` is less; the default is one minute.
            longest_life: the maximum lifetime, even if `max-age` is greater; the default is seven days, or one day
                under RFC 9309.
            stale_while_revalidate: the time for which rules may be used after they expire, while they are fetched
                again.
            stale_if_error: the time for which the last rules may be used while robots.txt cannot be reached; at most 30
                days. It counts from the end of their lifetime, or from the beginning of the outage if that is earlier.
            first_retry: the time until the next request after a failure; the default is one hour. It doubles after each
                failure.
            retry_after_503: the time until the next request after a 503; the default is five minutes.
            longest_retry: the longest time between two requests to a failing site, unless its `Retry-After` is longer;
                the default is one day.
            outage_gap: the longest time between two failures of one outage; the default is seven days. If the longest
                time between two requests is longer, that time is used.

        Raises:
            ValueError: there is no such edition, or a time is negative.
        """

    @property
    def edition(self) -> Edition: ...
    @property
    def limit(self) -> int: ...

@final
class Cache:
    """The robots.txt files that a crawler knows, without I/O. Threads may share a cache.

    It answers from memory. If it returns `None`, drive a `Retrieval`:

    >>> cache = Cache("examplebot", identification="examplebot/1.0 (+https://example.com/bot)")
    >>> cache.allows("https://example.com/x") is None
    True
    >>> retrieval = cache.retrieval("https://example.com/x")
    >>> request = retrieval.step()
    >>> request.url
    'https://example.com/robots.txt'
    >>> retrieval.answered(200, [("content-type", "text/plain")], b"user-agent: *\ndisallow: /x")
    >>> retrieval.step() is None
    True
    >>> cache.allows("https://example.com/x")
    False
    """

    def __new__(
        cls,
        agent: Agent,
        *,
        identification: Optional[str] = None,
        settings: Optional[Settings] = None,
        store: Optional[Store] = None,
        memory: int = ...,
        clock: Optional[Callable[[], float]] = None,
    ) -> Cache:
        """Make an empty cache for a crawler.

        Args:
            agent: the crawler's product token, or several, most specific first.
            identification: the text that is sent as ``User-Agent``. Without it, the product token is sent.
            settings: the edition, lifetimes and retries.
            store: keeps records outside memory and between runs.
            memory: the maximum number of octets that are kept in memory; the default is 256 MiB.
            clock: returns the seconds since the Unix epoch. Without it, the system's clock.

        Raises:
            ValueError: the agent is not a product token, or the identification cannot be sent.
            TypeError: the object is not a store.
        """

    @staticmethod
    def key(url: Url) -> str:
        """Return scheme, host and port of a URL's origin. Each origin has one robots.txt.

        Raises:
            ValueError: robots.txt cannot govern the URL.
        """

    @property
    def identification(self) -> str: ...
    def allows(self, url: Url, *, now: Optional[float] = None) -> Optional[bool]:
        """Return whether a URL may be fetched, or `None` if robots.txt must be fetched first.

        `now` is the time in seconds since the Unix epoch. Without it, the time of the clock is used.

        Raises:
            ValueError: robots.txt cannot govern the URL.
        """

    def verdict(self, url: Url, *, now: Optional[float] = None) -> Optional[FetchVerdict]:
        """Return whether a URL may be fetched and why, or `None` if robots.txt must be fetched first.

        Raises:
            ValueError: robots.txt cannot govern the URL.
        """

    def retrieval(self, url: Url, *, server_errors_for_missing_pages: bool = False) -> Retrieval:
        """Begin to retrieve the robots.txt of a URL's origin.

        `server_errors_for_missing_pages` says that the site answers 5xx for pages that do not exist. Under the Google
        editions, its 5xx then counts as 404.

        Raises:
            ValueError: robots.txt cannot govern the URL.
        """

    def __len__(self) -> int: ...

@final
class Retrieval:
    """The retrieval of one robots.txt, without I/O. One caller drives it: it calls `step`, does the step and reports
    the result, until the step is `None`. Then the cache knows the robots.txt.

    It reads and writes the store of the cache itself.
    """

    def step(self, *, now: Optional[float] = None) -> Union[Request, Wait, None]:
        """Return the next step.

        A `Request`: send it, follow no redirect, and report to `answered`, `failed`, or `head`, `data` and `end`.
        A `Wait`: another retrieval of the same origin is running; wait, and call this again.
        `None`: the retrieval has ended.
        """

    def answered(
        self,
        status: int,
        fields: Iterable[Tuple[Union[str, bytes], Union[str, bytes]]],
        body: Optional[bytes] = None,
        *,
        decoded: bool = False,
        now: Optional[float] = None,
    ) -> None:
        """Report a whole answer. `decoded` says that the content coding of the body was already removed.

        Raises:
            RuntimeError: no request is open.
        """

    def head(
        self,
        status: int,
        fields: Iterable[Tuple[Union[str, bytes], Union[str, bytes]]],
        *,
        decoded: bool = False,
        now: Optional[float] = None,
    ) -> bool:
        """Report status and fields of an answer whose body arrives in parts. Return whether the body must be read.

        Raises:
            RuntimeError: no request is open.
        """

    def data(self, octets: bytes, *, now: Optional[float] = None) -> bool:
        """Report the next octets of the body. Return whether more are needed; if not, stop reading and call `end`."""

    def end(self, *, now: Optional[float] = None) -> None:
        """Report that the answer is complete, or that the rest of it is not needed.

        Raises:
            RuntimeError: no answer has begun.
        """

    def failed(self, failure: Failure, why: str = "", *, here: bool = False, now: Optional[float] = None) -> None:
        """Report that no whole answer arrived. `why` describes it as a clause.

        `here` says that this side failed, and not the site: a guard refused, or a proxy was unavailable. Such a failure
        begins no outage and is not stored.

        `robots_verdicts.report_failure` calls this for an exception, and decides which side failed.

        Raises:
            RuntimeError: no request is open.
            ValueError: there is no such failure.
        """

    def meanwhile(self, url: Url, *, now: Optional[float] = None) -> Optional[FetchVerdict]:
        """Return a verdict on a URL that may be used while the retrieval is running, or `None` if the URL must wait."""

    def allows(self, url: Url) -> bool:
        """Return whether a URL of the origin may be fetched. Call this after the retrieval has ended.

        Raises:
            RuntimeError: it has not ended.
            ValueError: the URL belongs to another origin.
        """

    def verdict(self, url: Url) -> FetchVerdict:
        """Return whether a URL of the origin may be fetched and why, after the retrieval has ended.

        Raises:
            RuntimeError: it has not ended.
            ValueError: the URL belongs to another origin.
        """

    @property
    def key(self) -> str:
        """Scheme, host and port of the origin."""

    @property
    def open(self) -> bool:
        """Whether a request is open: `step` returned it, and you have not yet reported a whole answer or a failure."""

    @property
    def ended(self) -> bool: ...

@final
class Request:
    """A request to send: always ``GET``, always without a body. Add no cookie, no credentials and no ``Referer``."""

    @property
    def url(self) -> str: ...
    @property
    def fields(self) -> List[Tuple[str, str]]:
        """The fields to send, with names in lower case."""

    @property
    def headers(self) -> Dict[str, str]:
        """The fields as a dictionary."""

    @property
    def limit(self) -> int:
        """The maximum number of octets of a file that are used, after decoding."""

@final
class Wait:
    """A time to wait, because another retrieval of the same origin is running."""

    @property
    def seconds(self) -> float: ...

@final
class FetchVerdict:
    """Whether a URL may be fetched, the reason, and the time until which this is valid. It is true if the URL may be
    fetched; ``str`` returns the whole reason."""

    @property
    def allowed(self) -> bool: ...
    @property
    def url(self) -> str:
        """The URL that was judged: the URL of the question as HTTP clients send it, without dot segments. Fetch this
        URL."""

    @property
    def basis(self) -> Basis: ...
    @property
    def evidence(self) -> Optional[Verdict]:
        """The verdict of the file's rules, if they decided."""

    def usage(self, *, header: Header = None, vocabulary: Vocabulary = "vocab-07") -> Optional[Usage]:
        """Return the preferences about the use of the URL's content, under the draft edition ``aipref-2026-08``.

        ``header`` has the ``Content-Usage`` field lines of the response for the URL. The method uses the copy of
        robots.txt that decided the verdict, so ask for the verdict when the page is fetched. The result is ``None`` if
        a failing site forbids the URL: then no preference applies.

        Raises:
            ValueError: there is no such vocabulary.
        """

    @property
    def source(self) -> Optional[str]:
        """The sections of the documents that explain the basis, or `None` for ``rules`` and ``stale-rules``."""

    @property
    def until(self) -> float:
        """The time until which the verdict is valid, in seconds since the Unix epoch."""

    @property
    def crawl_delay(self) -> Optional[float]:
        """The seconds of the first valid ``crawl-delay`` for the crawler, or `None` if no file decides. No edition
        defines this field, but a crawler may obey it."""

    @property
    def sitemaps(self) -> List[str]:
        """The sitemaps as written, in the order of the file. The list is empty if no file decides."""

    def values(self, name: str) -> List[str]:
        """Return the values of a field such as ``request-rate`` for the crawler, as written, in the order of the file:
        those after the user-agent line that selects its groups. The list is empty if no file decides."""

    @property
    def record(self) -> Record: ...
    def beside(self, url: Url, *, as_written: bool = False) -> FetchVerdict:
        """Return the verdict on another URL of the same origin, from the same robots.txt.

        `as_written` says that the URL is sent exactly as it is written, with its dot segments.

        Raises:
            ValueError: the URL belongs to another origin.
        """

    def __bool__(self) -> bool: ...

@final
class Record:
    """The stored data about one robots.txt: the last copy and the last answer. Times are seconds since the Unix epoch.
    """

    @staticmethod
    def from_octets(octets: bytes) -> Record:
        """Read a record from its stored form.

        Raises:
            ValueError: the octets have another version, or are damaged.
        """

    def verdict(
        self, agent: Agent, url: Url, *, settings: Optional[Settings] = None, now: Optional[float] = None
    ) -> FetchVerdict:
        """Return whether a URL of the origin may be fetched and why, as a cache with these settings does. `now` is the
        time in seconds since the Unix epoch. Without it, the system's clock is used.

        The record may be too old for the verdict: compare `FetchVerdict.until` with the time.

        Raises:
            ValueError: the agent is not a product token, or the URL belongs to another origin.
        """

    def to_octets(self) -> bytes: ...
    @property
    def key(self) -> str:
        """Scheme, host and port of the origin."""

    @property
    def body(self) -> Optional[bytes]:
        """The last file that was fetched, decoded. It is kept after failures."""

    @property
    def validated_at(self) -> Optional[float]:
        """The time at which the file in `body` was last fetched or confirmed."""

    @property
    def at(self) -> float:
        """The time at which the last answer arrived or the last request failed."""

    @property
    def url(self) -> str:
        """The URL from which the last answer came."""

    @property
    def hops(self) -> List[Tuple[str, int]]:
        """The redirects before the last answer: for each, the URL that was requested, and the status."""

    @property
    def status(self) -> Optional[int]: ...
    @property
    def failure(self) -> Optional[str]: ...
    @property
    def end(self) -> str:
        """The last answer or failure as text."""

    @property
    def unreachable_since(self) -> Optional[float]:
        """The time since which every answer was a server error, a 429 or a failure."""

    @property
    def next_try(self) -> Optional[float]:
        """The time of the next request, if the last answer was a server error, a 429 or a failure."""

    def __eq__(self, other: object) -> bool: ...

@final
class MemoryStore:
    """Keeps records in memory, for several caches of one process. While one cache fetches a robots.txt, the others wait
    for it."""

    def __new__(cls, octets: int = ...) -> MemoryStore: ...

@final
class FileStore:
    """Keeps records in one file, for one process at a time. It waits for the disk when it writes.

    Only the process that opened the file can use the store. After `os.fork()`, each operation in the child process is
    an error: a client there logs it and continues without the store. If the file is damaged, the store renames it to
    `NAME.damaged`, logs a warning and begins a new file."""

    def __new__(cls, path: Union[str, os.PathLike[str]]) -> FileStore:
        """Open a file, or create it if it does not exist.

        Raises:
            OSError: it cannot be opened, is no redb file, or is already open, here or in another process.
        """

    def remove_before(self, time: float) -> int:
        """Remove the records whose last answer came before a time, and those that cannot be read. Return their number.
        This reads the whole file.

        Raises:
            OSError: the file cannot be written, or another process opened the store.
        """

class Refused(Exception):
    """A guard refuses a connection. The text is the reason."""

@final
class PublicOnly:
    """A guard that refuses addresses outside the public Internet, also if a name resolves to one.

    >>> PublicOnly()("example.com", 80, "93.184.215.14")
    >>> PublicOnly()("metadata.example.com", 80, "169.254.169.254")
    Traceback (most recent call last):
    robots_verdicts.Refused: metadata.example.com has the address 169.254.169.254, which is link-local
    """

    def __new__(cls, *, trust_proxy: bool = False) -> PublicOnly:
        """Make a guard. A connection through a proxy is refused, unless the proxy is trusted to do the same check. The
        proxy may come from the environment or from the HTTP client."""

    def __call__(self, host: str, port: int, address: str, proxy: Optional[str] = None) -> None:
        """Check a connection.

        Raises:
            Refused: the connection must not be made.
            ValueError: the address is invalid.
        """
