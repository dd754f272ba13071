import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export interface Expression {
  source: string;
  flags: string;
}

const CACHE = join(import.meta.dirname, '../../node_modules/.cache/recheck');

/**
 * Returns what recheck's automaton says of each expression: `safe` proves that no text takes more than linear time. Others
 * name the kind, such as `polynomial`, or why nothing is proven. What is `safe` is kept in `node_modules/.cache/recheck` until
 * recheck or this file changes.
 */
export async function provenTimes(expressions: Expression[]): Promise<string[]> {
  const file = join(CACHE, `${await checkerHash()}.json`);
  const kept = await readFile(file, 'utf8').catch(() => '[]');
  const safe = new Set(JSON.parse(kept) as string[]);
  const unproven = expressions.filter((expression) => !safe.has(keyOf(expression)));
  if (unproven.length === 0) return expressions.map(() => 'safe');
  const times = new Map<string, string>();
  for (const [index, time] of (await checkApart(unproven)).entries()) times.set(keyOf(unproven[index]!), time);
  for (const [key, time] of times) if (time === 'safe') safe.add(key);
  await mkdir(CACHE, { recursive: true });
  // Another run may be reading it.
  await writeFile(`${file}.${process.pid}`, JSON.stringify([...safe]));
  await rename(`${file}.${process.pid}`, file);
  return expressions.map((expression) => times.get(keyOf(expression)) ?? 'safe');
}

const keyOf = ({ source, flags }: Expression): string => `/${source}/${flags}`;

async function checkerHash(): Promise<string> {
  const hash = createHash('sha256').update(await readFile(import.meta.filename));
  const manifest = createRequire(import.meta.url).resolve('recheck/package.json');
  return hash.update(await readFile(manifest)).digest('hex');
}

/** In a process of its own, as recheck takes long where there is no native program of it for the machine. */
function checkApart(expressions: Expression[]): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const options = { env: { ...process.env, NODE_OPTIONS: '' } };
    const child = execFile(process.execPath, [fileURLToPath(import.meta.url)], options, (error, stdout) =>
      error ? reject(error) : resolve(JSON.parse(stdout) as string[]),
    );
    child.stdin!.end(JSON.stringify(expressions.map(({ source, flags }) => ({ source, flags }))));
  });
}

if (process.argv[1] === import.meta.filename) {
  const { check } = await import('recheck');
  const expressions = (await json(process.stdin)) as Expression[];
  const proven = expressions.map(async ({ source, flags }) => {
    // Which matches are told apart, and whether their places are, is nothing to the time it takes.
    const result = await check(source, flags.replaceAll(/[dg]/g, ''), { checker: 'automaton', timeout: 60_000 });
    if (result.status === 'unknown') return JSON.stringify(result.error);
    return result.status === 'safe' ? 'safe' : result.complexity.type;
  });
  // recheck's native program would keep it alive.
  process.stdout.write(JSON.stringify(await Promise.all(proven)), () => process.exit());
}
