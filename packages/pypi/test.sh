#!/usr/bin/env bash
# Builds the wheel of a command, serves it from a local index, installs it into a fresh environment, and runs its tests
# there. The tests of robots-conformance check another project's parser and the retriever of docs/examples. Needs Python
# with venv, and PyPI for the tools.
#
#   packages/pypi/test.sh robots-cli|robots-conformance [WHEEL]     tests the given wheel, or builds it
set -euo pipefail
package="${1:?name robots-cli or robots-conformance}"
here="$(cd "$(dirname "$0")/$package" && pwd)"
work="$(mktemp -d)"
server=
trap 'if [ -n "$server" ]; then kill "$server"; fi; rm -rf "$work"' EXIT

python3 -m venv "$work/tools"
"$work/tools/bin/pip" install --quiet maturin==1.9.6 pypiserver==2.4.2
mkdir "$work/index"
if [ $# -gt 1 ]; then
  cp "$2" "$work/index"
else
  (cd "$here" && "$work/tools/bin/maturin" build --release --locked --quiet --out "$work/index")
fi
ls -l "$work/index"

port="$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')"
"$work/tools/bin/pypi-server" run --interface 127.0.0.1 --port "$port" --disable-fallback "$work/index" &
server=$!
for _ in $(seq 50); do
  python3 -c "import urllib.request as r; r.urlopen('http://127.0.0.1:$port/simple/')" 2>/dev/null && break
  sleep 0.2
done

python3 -m venv "$work/fresh"
# Only the package comes from the local index, and it comes from no other index.
env -u PIP_FIND_LINKS -u PIP_EXTRA_INDEX_URL "$work/fresh/bin/pip" install --quiet --no-cache-dir \
  --index-url "http://127.0.0.1:$port/simple/" "$package"
"$work/fresh/bin/pip" install --quiet Protego==0.7.0 pytest==9.2.0 mypy==2.4.1
cp -R "$here/tests" "$work/tests"
if [ "$package" = robots-conformance ]; then
  cp "$here/../../../docs/examples/pytest"/{retriever.py,known-timelines.txt} "$work/tests"
fi
cd "$work/tests"
"$work/fresh/bin/python" -m pytest --quiet -p no:cacheprovider
if [ "$package" = robots-conformance ]; then
  # The example has no types. Only the subjects are checked.
  "$work/fresh/bin/mypy" --strict --ignore-missing-imports --follow-imports=silent --cache-dir "$work/mypy" \
    subject.py retriever_subject.py
fi
"$work/fresh/bin/mypy" --strict --cache-dir "$work/mypy" --package "${package//-/_}"
