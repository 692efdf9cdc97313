"""The responses for robots.txt in web archives: WARC 1.0 and 1.1, plain, gzip or zstd.

`responses` reads an archive as a stream of Arrow record batches, which pyarrow, Polars and DuckDB read:

    >>> import pyarrow as pa
    >>> from robots_verdicts import arrow, warc
    >>> for batch in pa.RecordBatchReader.from_stream(warc.responses("crawl.warc.gz")):  # doctest: +SKIP
    ...     allowed = arrow.verdicts(batch["robots_txt"], "examplebot", "/private/")
"""

from ._native import Responses
from ._native import _warc_responses as responses

__all__ = ["Responses", "responses"]
