#!/usr/bin/env bash
# Packs both commands for this platform, publishes them to a local registry, and installs them into a fresh project.
# There, checks another project's parser, the retriever of docs/examples, and the robots.txt of a site. Needs Node 20 or
# later with npm, and npm's registry for the tools.
#
#   packages/npm/test.sh [CONFORMANCE ROBOTS]     packs the given commands, or builds both if there are no arguments
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
work="$(mktemp -d)"
server=
trap 'if [ -n "$server" ]; then kill "$server"; fi; rm -rf "$work"' EXIT

if [ $# -gt 0 ]; then
  conformance="$(realpath "$1")"
  robots="$(realpath "$2")"
else
  (cd "$here" && cargo build --quiet --release --locked --package robots-conformance-cli --package robots-cli)
  conformance="$here/../../target/release/robots-conformance"
  robots="$here/../../target/release/robots"
fi
platform="$(node -p '`${process.platform}-${process.arch}`')"
node "$here/build.mjs" platform robots-conformance "$conformance" "$platform" "$work/out"
node "$here/build.mjs" platform robots-cli "$robots" "$platform" "$work/out"
for package in robots-conformance robots-cli; do
  node "$here/build.mjs" main "$package" "$work/out"
done

port="$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')"
cat > "$work/verdaccio.yaml" <<YAML
storage: $work/storage
# The command is larger than the default limit of the registry.
max_body_size: 100mb
uplinks:
  npmjs: { url: https://registry.npmjs.org/ }
packages:
  # Our packages come only from this registry.
  "@robots-conformance/*": { access: \$all, publish: \$all }
  robots-conformance: { access: \$all, publish: \$all }
  robots-cli: { access: \$all, publish: \$all }
  "**": { access: \$all, proxy: npmjs }
log: { type: stdout, level: warn }
YAML
mkdir "$work/tools"
# verdaccio requires a version of node-fetch by its tag, which mirrors of the registry may not have.
echo '{ "private": true, "overrides": { "node-fetch": "2.7.0" } }' > "$work/tools/package.json"
npm install --prefix "$work/tools" --no-audit --no-fund --loglevel error verdaccio@6.1.2
"$work/tools/node_modules/.bin/verdaccio" --config "$work/verdaccio.yaml" --listen "127.0.0.1:$port" &
server=$!
for _ in $(seq 100); do
  node -e "fetch('http://127.0.0.1:$port/-/ping').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))" && break
  sleep 0.3
done

# npm publishes only with a token; this registry accepts any token.
printf 'registry=http://127.0.0.1:%s/\n//127.0.0.1:%s/:_authToken=anybody\n' "$port" "$port" > "$work/npmrc"
export npm_config_userconfig="$work/npmrc" npm_config_cache="$work/cache"
for package in robots-conformance robots-cli; do
  npm publish --loglevel error "$work/out/$package/$platform"
  npm publish --loglevel error "$work/out/$package/$package"
done

mkdir "$work/fresh"
cp "$here"/tests/* "$here/../../docs/examples/vitest"/{retriever.mjs,known-timelines.txt} "$work/fresh"
cd "$work/fresh"
npm init --yes > /dev/null
npm install --no-audit --no-fund --loglevel error robots-conformance robots-cli robots-parser@3.0.1 typescript@5.9.3 @types/node@20.19.43 vitest@4.1.12
npx --no-install robots-conformance --version
npx --no-install robots --version
node --test package.test.mjs site.test.mjs
npx --no-install tsc --noEmit --strict --module nodenext --moduleResolution nodenext --target es2022 types.ts
