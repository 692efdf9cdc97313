#!/usr/bin/env bash
# Measures verdicts over columns and archives, with release builds, in a fresh environment. Needs Python with venv, PyPI, and
# Java for Spark.
#
#   bench/columns.sh [PART [COUNT]]
set -euo pipefail
cd "$(dirname "$0")/.."
python3 -m venv --clear target/columns
target/columns/bin/pip install --quiet maturin==1.9.6
MATURIN_PEP517_ARGS="--locked --profile release" target/columns/bin/pip install --quiet ./packages/python
target/columns/bin/pip install --quiet pyarrow==26.0.1 pandas==3.1.1 protego==0.7.0 fastwarc==2.0.1 fast-robotstxt==1.1.0
if command -v java > /dev/null; then
  target/columns/bin/pip install --quiet pyspark==4.3.0
fi
cargo build --quiet --release --package robots-cli
PYSPARK_PYTHON="$PWD/target/columns/bin/python" target/columns/bin/python bench/columns.py target/release/robots "$@"
