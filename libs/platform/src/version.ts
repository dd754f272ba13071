import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

let version: string | undefined;

/** Version of this release, as its package has it. */
export function productVersion(): string {
  version ??= (JSON.parse(readFileSync(findPackageJSON(import.meta.url)!, 'utf8')) as { version: string }).version;
  return version;
}
