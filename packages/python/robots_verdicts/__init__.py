"""May this crawler fetch this URL? Exact and fast verdicts of robots.txt, with the rule that decides.

    >>> robots = parse("user-agent: *\\ndisallow: /private\\n")
    >>> robots.allows("examplebot", "https://example.com/private/x")
    False
    >>> str(robots.verdict("examplebot", "/private/x"))
    'disallow: the longest matching rule is line 2, `disallow: /private`, for `user-agent: *` in line 1'

`Client` and `AsyncClient` also fetch robots.txt. With `Cache`, your program sends the requests, with any HTTP library,
and `report_failure` reports a failed request to the `Retrieval`.
"""

from typing import TYPE_CHECKING, Any

from ._native import (
    Cache,
    FetchVerdict,
    FileStore,
    MemoryStore,
    PublicOnly,
    Record,
    Refused,
    Request,
    Retrieval,
    RobotsTxt,
    RuleSet,
    Settings,
    Usage,
    Verdict,
    Wait,
    __version__,
    parse,
    product_tokens,
)

if TYPE_CHECKING:
    from ._async_client import AsyncClient
    from ._attempt import report_failure
    from ._client import Client
    from ._connect import Guard, Timeouts

__all__ = [
    "AsyncClient",
    "Cache",
    "Client",
    "FetchVerdict",
    "FileStore",
    "Guard",
    "MemoryStore",
    "PublicOnly",
    "Record",
    "Refused",
    "Request",
    "Retrieval",
    "RobotsTxt",
    "RuleSet",
    "Settings",
    "Timeouts",
    "Usage",
    "Verdict",
    "Wait",
    "__version__",
    "parse",
    "product_tokens",
    "report_failure",
]

_LATER = {
    "AsyncClient": "_async_client",
    "Client": "_client",
    "Guard": "_connect",
    "Timeouts": "_connect",
    "report_failure": "_attempt",
}


def __getattr__(name: str) -> Any:
    """Import a client or its parts when they are first used: parsing needs neither sockets nor TLS."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_LATER[name]}", __name__), name)
