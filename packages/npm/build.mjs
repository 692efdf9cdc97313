// Makes the npm packages of a built command: the package for its platform, or the main package that users install.
//
//   node build.mjs platform PACKAGE COMMAND PLATFORM-ARCH OUT     the command for one platform
//   node build.mjs main PACKAGE OUT [PLATFORM-ARCH]               PACKAGE, which names all platforms, or this one
//
// PACKAGE is robots-conformance or robots-cli.
//
// The version comes from the workspace's Cargo.toml through `cargo metadata`.

import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const PLATFORMS = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-arm64', 'win32-x64'];
const LICENCES = ['LICENSE-MIT', 'LICENSE-APACHE'];

// The name of the command, and the beginning of the names of the packages for one platform.
const PACKAGES = {
  'robots-conformance': { command: 'robots-conformance', prefix: '' },
  'robots-cli': { command: 'robots', prefix: 'robots-' },
};

const template = (name) => JSON.parse(readFileSync(join(here, name, 'package.json'), 'utf8'));

function version() {
  const metadata = execFileSync('cargo', ['metadata', '--no-deps', '--format-version', '1'], {
    cwd: here,
    maxBuffer: 64 << 20,
  });
  return JSON.parse(metadata).packages.find(({ name }) => name === 'robots-conformance-cli').version;
}

function write(folder, manifest) {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const licence of LICENCES) copyFileSync(join(here, '../..', licence), join(folder, licence));
}

function platform(name, path, target, out) {
  if (!PLATFORMS.includes(target)) throw new Error(`${target} is not one of ${PLATFORMS.join(', ')}`);
  const [os, cpu] = target.split('-');
  const folder = join(out, name, target);
  mkdirSync(folder, { recursive: true });
  const { command, prefix } = PACKAGES[name];
  const file = os === 'win32' ? `${command}.exe` : command;
  copyFileSync(path, join(folder, file));
  chmodSync(join(folder, file), 0o755);
  const { license, repository } = template(name);
  write(folder, {
    name: `@robots-conformance/${prefix}${target}`,
    version: version(),
    description: `The command ${command} for ${os} on ${cpu}`,
    license,
    repository,
    os: [os],
    cpu: [cpu],
    preferUnplugged: true,
    files: [file, ...LICENCES],
  });
}

function main(name, out, only) {
  const platforms = only ? [only] : PLATFORMS;
  const folder = join(out, name, name);
  cpSync(join(here, name), folder, { recursive: true });
  const own = version();
  const optionalDependencies = Object.fromEntries(platforms.map((one) => [`@robots-conformance/${PACKAGES[name].prefix}${one}`, own]));
  write(folder, { ...template(name), version: own, optionalDependencies });
}

const [what, ...rest] = process.argv.slice(2);
if (what === 'platform' && rest.length === 4 && PACKAGES[rest[0]]) platform(...rest);
else if (what === 'main' && (rest.length === 2 || rest.length === 3) && PACKAGES[rest[0]]) main(...rest);
else {
  console.error('usage: node build.mjs platform PACKAGE COMMAND PLATFORM-ARCH OUT | node build.mjs main PACKAGE OUT [PLATFORM-ARCH]');
  process.exit(2);
}
