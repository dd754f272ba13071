import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** What `npm start` gives to `node` in a folder of the repository: its options, then the compiled entry point. */
export function startArgs(root: string): [...options: string[], main: string] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } };
  // An earlier release has no `exec` before it.
  const words = scripts.start.split(/^(?:exec )?node /)[1]!.split(' ');
  return [...words.slice(0, -1), join(root, words.at(-1)!)];
}

/** {@link startArgs} here. */
export const START_ARGS: readonly string[] = startArgs(ROOT);
