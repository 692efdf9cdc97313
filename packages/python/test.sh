#!/usr/bin/env bash
# Builds the source distribution, and the wheel from it in an empty folder. Installs this wheel and the suite's wheel
# into a fresh environment with Scrapy, Crawlee and Scrapling, and tests the package there: with every vector, with every
# timeline, with a type checker, with the oldest supported Scrapy, with Scrapy's own tests, and with crawls of the suite's
# test server by Scrapy. Needs Python with venv, and PyPI for the tools.
#
#   packages/python/test.sh [WHEEL SUITE]     tests the given wheels, or builds both if there are no arguments
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

case $# in
  0)
    python3 -m venv "$work/tools"
    "$work/tools/bin/pip" install --quiet maturin==1.9.6
    (cd "$here" && "$work/tools/bin/maturin" sdist --out "$work/sdist")
    (cd "$work/sdist" && MATURIN_PEP517_ARGS=--locked "$work/tools/bin/pip" wheel --quiet --no-deps --wheel-dir "$work/wheels" ./*.tar.gz)
    (cd "$here/../pypi/robots-conformance" && "$work/tools/bin/maturin" build --release --locked --quiet --out "$work/wheels")
    set -- "$work"/wheels/*.whl
    ;;
  2) ;;
  *)
    echo "usage: $0 [WHEEL SUITE]: both wheels, or none" >&2
    exit 2
    ;;
esac
ls -l "$@"

python3 -m venv "$work/fresh"
# The constraint file gives all other packages the versions with which the crawlers were measured.
"$work/fresh/bin/pip" install --quiet --constraint "$here/tests/constraints.txt" "$@" \
  pytest==9.2.0 mypy==2.4.1 scrapy==2.19.0 'crawlee[beautifulsoup,httpx]==1.11.0' 'scrapling[fetchers]==0.5' protego==0.7.0 \
  httpx==0.28.1 aiohttp==3.14.5 requests==2.34.2 trustme==1.2.1 \
  pyarrow==26.0.1 polars==2.1.0 duckdb==2.0.1 pandas==3.1.1
cp -R "$here/tests" "$work/tests"
cp "$here"/../../docs/{archive.py,bulk.md,history.sql,protego.md,python.md} "$work/tests"
cp "$here"/../../robots-fetch/tests/clients/{heads,bodies,floods}.json "$work/tests"
(cd "$here/../.." && cargo build --quiet --package robots-cli)
export ROBOTS="${CARGO_TARGET_DIR:-$here/../../target}/debug/robots"
cd "$work/tests"

echo "── the suite's vectors, and the interface"
"$work/fresh/bin/python" -m pytest --quiet -p no:cacheprovider
"$work/fresh/bin/mypy" --strict --cache-dir "$work/mypy" --package robots_verdicts

echo "── the middleware with the oldest Scrapy that docs/python.md promises"
oldest="$(sed -n 's/.*Scrapy \([0-9.]*\) or later is needed.*/\1/p' python.md)"
python3 -m venv "$work/oldest"
# The oldest Scrapy does not work with later versions of Twisted.
grep -v -i -E '^(scrapy|twisted)==' "$here/tests/constraints.txt" > "$work/constraints.txt"
"$work/oldest/bin/pip" install --quiet --constraint "$work/constraints.txt" "$@" \
  pytest==9.2.0 "scrapy==$oldest" twisted==25.5.0
"$work/oldest/bin/python" -m pytest --quiet -p no:cacheprovider test_scrapy.py test_scrapy_ftp.py

echo "── Scrapy's own tests of robots.txt, with the middleware and the parser of this package"
# Without robotexclusionrulesparser (Rerp), Scrapy skips 23 of these tests.
"$work/fresh/bin/pip" install --quiet pytest-twisted==1.14.3 robotexclusionrulesparser==1.7.1
scrapy="$("$work/fresh/bin/python" -c 'import scrapy; print(scrapy.__version__)')"
"$work/fresh/bin/pip" download --quiet --no-deps --no-binary scrapy --dest "$work/scrapy" "scrapy==$scrapy"
"$work/fresh/bin/python" -B scrapys_own.py "$work/scrapy/scrapy-$scrapy.tar.gz"

echo "── the timelines: the cache without I/O, and both clients"
"$work/tests/timelines.sh" "$work/fresh/bin/robots-conformance" "$work/fresh/bin/python"

crawl() {
  "$work/fresh/bin/robots-conformance" live --together --cases verdicts --edition google-2022 --agent examplebot \
    --exec "$work/fresh/bin/python -B {cwd}/crawl.py {agent} {seed} $1" "${@:2}"
}

echo "── Scrapy with this parser, on the test server"
crawl robots_verdicts.scrapy.RobotsVerdictsParser --deviations scrapy.yaml --report terminal

echo "── Scrapy with its own parser: the same crawl must show a difference"
status=0
crawl scrapy.robotstxt.ProtegoRobotParser --deviations scrapy.yaml > "$work/protego.txt" 2>&1 || status=$?
grep '^google-2022 ' "$work/protego.txt"
[ "$status" = 1 ] || { echo "error: the command ends with $status, but it must end with 1: cases fail" >&2; exit 1; }
