import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** Returns the arguments that `npm start` passes to `node`, with the paths in a folder of the repository. */
export function startArgs(root: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } };
  // An earlier release has no `exec` before it, and names the compiled program.
  const words = scripts.start.split(/^(?:exec )?node /)[1]!.split(' ');
  return words.map((word) => (/\.m?js$/.test(word) ? join(root, word) : word));
}

/** {@link startArgs} here. */
export const START_ARGS: readonly string[] = startArgs(ROOT);
