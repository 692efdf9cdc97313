// Makes the npm packages of a built command: the package for its platform, or the main package that users install.
//
//   node build.mjs platform COMMAND PLATFORM-ARCH OUT     @robots-conformance/PLATFORM-ARCH
//   node build.mjs main OUT [PLATFORM-ARCH]               robots-conformance, which names all platforms, or this one
//
// The version comes from the workspace's Cargo.toml through `cargo metadata`.

import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const PLATFORMS = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-arm64', 'win32-x64'];
const LICENCES = ['LICENSE-MIT', 'LICENSE-APACHE'];

const template = JSON.parse(readFileSync(join(here, 'robots-conformance/package.json'), 'utf8'));

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

function platform(command, target, out) {
  if (!PLATFORMS.includes(target)) throw new Error(`${target} is not one of ${PLATFORMS.join(', ')}`);
  const [os, cpu] = target.split('-');
  const folder = join(out, target);
  mkdirSync(folder, { recursive: true });
  const file = os === 'win32' ? 'robots-conformance.exe' : 'robots-conformance';
  copyFileSync(command, join(folder, file));
  chmodSync(join(folder, file), 0o755);
  const { license, repository } = template;
  write(folder, {
    name: `@robots-conformance/${target}`,
    version: version(),
    description: `The command robots-conformance for ${os} on ${cpu}`,
    license,
    repository,
    os: [os],
    cpu: [cpu],
    preferUnplugged: true,
    files: [file, ...LICENCES],
  });
}

function main(out, only) {
  const platforms = only ? [only] : PLATFORMS;
  const folder = join(out, 'robots-conformance');
  cpSync(join(here, 'robots-conformance'), folder, { recursive: true });
  const own = version();
  const optionalDependencies = Object.fromEntries(platforms.map((name) => [`@robots-conformance/${name}`, own]));
  write(folder, { ...template, version: own, optionalDependencies });
}

const [what, ...rest] = process.argv.slice(2);
if (what === 'platform' && rest.length === 3) platform(...rest);
else if (what === 'main' && (rest.length === 1 || rest.length === 2)) main(...rest);
else {
  console.error('usage: node build.mjs platform COMMAND PLATFORM-ARCH OUT | node build.mjs main OUT [PLATFORM-ARCH]');
  process.exit(2);
}
