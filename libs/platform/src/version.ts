import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

let version: string | undefined;

/** Returns this release's version from its package.json. */
export function getProductVersion(): string {
  version ??= (JSON.parse(readFileSync(findPackageJSON(import.meta.url)!, 'utf8')) as { version: string }).version;
  return version;
}
