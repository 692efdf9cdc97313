"""The same verdicts for whole Arrow columns, in one call, on all processors.

Each function reads Arrow arrays or chunked arrays of any library (pyarrow, polars, duckdb, nanoarrow, arro3 ...) through
the PyCapsule interface, and returns one `Array`, which each of these libraries reads in the same way:

    >>> import pyarrow as pa
    >>> files = pa.array([b"user-agent: *\\ndisallow: /private\\n", None])
    >>> pa.array(verdicts(files, "examplebot", "https://example.com/private/x")).to_pylist()
    [False, None]
"""

from ._native import Array
from ._native import _arrow_access as access
from ._native import _arrow_groups as groups
from ._native import _arrow_sitemaps as sitemaps
from ._native import _arrow_usage as usage
from ._native import _arrow_verdicts as verdicts

__all__ = ["Array", "access", "groups", "sitemaps", "usage", "verdicts"]
