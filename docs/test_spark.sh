#!/usr/bin/env bash
# Runs the Spark example in local-cluster mode and compares it with the filter alone. Needs Java and Python, and the
# network once, because it installs PySpark in target/spark.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --quiet --release --package robots-cli
command="$(cargo metadata --no-deps --format-version 1 |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["target_directory"])')/release/robots"
work="$PWD/target/spark"
mkdir -p "$work"
[ -x "$work/venv/bin/python" ] || python3 -m venv "$work/venv"
"$work/venv/bin/python" -c 'import pyspark' 2>/dev/null ||
    "$work/venv/bin/pip" install --quiet pyspark==4.0.1

python3 - "$work/questions.jsonl" <<'PYTHON'
import json, sys
with open(sys.argv[1], "w") as file:
    for number in range(20_000):
        robots = f"user-agent: *\ndisallow: /{number % 7}\nallow: /*{number % 5}$\n"
        urls = [f"https://example.com/{path}" for path in range(number % 11)]
        print(json.dumps({"id": number, "robots_txt": robots, "crawler": "examplebot", "url": urls}), file=file)
    print("no JSON", file=file)
PYTHON

rm -rf "$work/answers"
"$work/venv/bin/python" docs/spark_verdicts.py 'local-cluster[2,1,1024]' "$command" \
    "file://$work/questions.jsonl" "file://$work/answers"
"$command" verdicts < "$work/questions.jsonl" > "$work/expected.jsonl"
cat "$work"/answers/part-* | sort | diff - <(sort "$work/expected.jsonl")
echo "$(wc -l < "$work/expected.jsonl") answers, the same from two workers as from one process"
