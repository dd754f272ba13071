import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** Returns the arguments that `npm start` passes to `node`, with script paths resolved against `root`. */
export function startArgs(root: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } };
  // Earlier releases don't use `exec` and start the compiled program directly.
  const words = scripts.start.split(/^(?:exec )?node /)[1]!.split(' ');
  return words.map((word) => (/\.m?js$/.test(word) ? join(root, word) : word));
}

export const START_ARGS: readonly string[] = startArgs(ROOT);
