#!/bin/sh
# Brings copied vectors up to date on a branch of their own, and writes the text of a pull request: what changed, and
# what your tests said before and after.
#
#   update.sh FOLDER EDITION TEXT COMMAND…    TEXT is the file to write; COMMAND… runs your tests
set -eu
folder=$1 edition=$2 text=$3
shift 3
version() { sed -n '2s/^"robots-conformance \([^,]*\),.*/\1/p' "$folder/$edition.json"; }
tests() { "$@" 2>&1 && echo "The tests pass." || echo "The tests fail."; }

old=$(version)
before=$(tests "$@")
robots-conformance copy --quiet --vectors --edition "$edition" "$folder"
new=$(version)
# The tests may leave other files in the folder.
copied() { (cd "$folder" && git "$@" -- "$edition.json" changes.json LICENSE README.md); }
if [ -z "$(copied status --porcelain)" ]; then
  echo "The vectors are up to date."
  exit 0
fi
after=$(tests "$@")
# Four spaces make a block of code, which no line of a test can end.
indented() { printf '%s\n' "$1" | tail -n 200 | sed 's/^/    /'; }
{
  printf 'The vectors of version %s replace those of %s.\n\n## What changed\n\n' "$new" "$old"
  indented "$(robots-conformance changes --since "$old" 2>&1)"
  printf '\n## Your tests before\n\n'
  indented "$before"
  printf '\n## Your tests after\n\n'
  indented "$after"
} > "$text"
git switch --quiet --create "robots-vectors-$new"
copied add
copied commit --quiet --message "Update the robots.txt vectors to $new"
git push --quiet --force origin "robots-vectors-$new"
