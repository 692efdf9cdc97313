#!/usr/bin/env bash
# Runs the timelines against the three parts of the installed package that answer them, and prints the editions to which
# each part conforms.
#
#   timelines.sh COMMAND PYTHON     COMMAND is robots-conformance, PYTHON the interpreter with the package
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
output="$(mktemp)"
trap 'rm -f "$output"' EXIT
for retriever in cache client async; do
  for edition in "" "--edition aipref-2026-08"; do
    # shellcheck disable=SC2086 # Without an edition, there is no argument.
    "$1" run --subject "$2 -B $here/retriever.py $retriever" $edition > "$output" || { cat "$output"; exit 1; }
    grep ' conforms; ' "$output" | sed "s/^/$retriever: /"
  done
done
