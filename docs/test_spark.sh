#!/usr/bin/env bash
# Runs the Spark example in local-cluster mode, with two workers in separate processes, and compares its answers with those
# of `robots verdicts`. Needs Java, Python with venv, and PyPI.
#
#   docs/test_spark.sh [PYTHON]     uses this Python, which has pyspark, or makes an environment
set -euo pipefail
cd "$(dirname "$0")/.."
work="$PWD/target/spark"
rm -rf "$work/data"
mkdir -p "$work/data"
if [ $# = 0 ]; then
  python3 -m venv "$work/venv"
  "$work/venv/bin/pip" install --quiet pyspark==4.3.0 pyarrow==26.0.1 ./packages/python
  set -- "$work/venv/bin/python"
fi
cargo build --quiet --package robots-cli
robots="$(cargo metadata --no-deps --format-version 1 |
  python3 -c 'import json, sys; print(json.load(sys.stdin)["target_directory"])')/debug/robots"

"$1" - "$work/data" <<'PYTHON'
import json, sys
import pyarrow as pa, pyarrow.parquet as parquet
folder = sys.argv[1]
files = {f"{n}.example": f"user-agent: *\ndisallow: /{n % 7}\nallow: /*{n % 5}$\n" for n in range(2_000)}
urls = [(host, f"https://{host}/{path}") for n, host in enumerate(files) for path in range(n % 21)]
parquet.write_table(pa.table({"host": list(files), "robots_txt": [text.encode() for text in files.values()]}), f"{folder}/robots.parquet")
parquet.write_table(pa.table({"host": [host for host, _ in urls], "url": [url for _, url in urls]}), f"{folder}/urls.parquet")
with open(f"{folder}/questions.jsonl", "w") as questions:
    for host, url in urls:
        print(json.dumps({"robots_txt": files[host], "crawler": "examplebot", "url": url}), file=questions)
PYTHON

PYSPARK_PYTHON="$1" "$1" docs/spark_verdicts.py 'local-cluster[2,1,1024]' "$work"/data/{robots,urls,verdicts}.parquet
"$robots" verdicts < "$work/data/questions.jsonl" > "$work/data/expected.jsonl" 2> /dev/null
"$1" - "$work/data" <<'PYTHON'
import json, sys
import pyarrow.parquet as parquet
folder = sys.argv[1]
got = sorted(zip(*parquet.read_table(f"{folder}/verdicts.parquet").to_pydict().values()))
expected = [json.loads(line)["verdicts"][0] for line in open(f"{folder}/expected.jsonl")]
expected = sorted((answer["url"], answer["verdict"] == "allow") for answer in expected)
assert got == expected, "Spark and the command differ"
assert {allowed for _, allowed in got} == {True, False}
print(f"{len(got)} answers, the same from two workers as from the command")
PYTHON
