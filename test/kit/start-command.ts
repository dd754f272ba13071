import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: { start: string } };
const [, ...words] = scripts.start.split(' ');

/** The compiled entry point of the standalone, an absolute path. */
export const STANDALONE_MAIN = join(ROOT, words.at(-1)!);

/** What `npm start` gives to `node`: its options, then {@link STANDALONE_MAIN}. */
export const START_ARGS: readonly string[] = [...words.slice(0, -1), STANDALONE_MAIN];
