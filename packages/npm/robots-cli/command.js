// Finds the command in the package for this platform, which npm installs as an optional dependency.

import { createRequire } from 'node:module';

/**
 * Returns the path of the command `robots`.
 *
 * @returns {string}
 */
export function command() {
  const { platform, arch } = process;
  const name = `@robots-conformance/robots-${platform}-${arch}`;
  const file = platform === 'win32' ? 'robots.exe' : 'robots';
  try {
    return createRequire(import.meta.url).resolve(`${name}/${file}`);
  } catch {
    throw new Error(
      `${name} is not installed. If npm left out optional dependencies, install again without --omit=optional. ` +
        `If the package does not exist, use cargo install robots-cli`,
    );
  }
}
