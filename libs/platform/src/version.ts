import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

let version: string | undefined;

/** Returns the version of this release from its package.json. */
export function productVersion(): string {
  version ??= (JSON.parse(readFileSync(findPackageJSON(import.meta.url)!, 'utf8')) as { version: string }).version;
  return version;
}
