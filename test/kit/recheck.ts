import { execFile } from 'node:child_process';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { tools } from './tools.ts';

interface Recheck {
  check(
    source: string,
    flags: string,
    options: object,
  ): Promise<{ status: string; error?: unknown; complexity: { type: string } }>;
}

export interface Expression {
  source: string;
  flags: string;
}

/**
 * Returns what recheck's automaton says of each expression: `safe` proves that no text takes more than linear time. Others
 * name the kind, such as `polynomial`, or why nothing is proven. In a process of its own, as recheck takes long on machines
 * that it has no native program for.
 */
export function provenTimes(expressions: readonly Expression[]): Promise<string[]> {
  if (expressions.length === 0) return Promise.resolve([]);
  return new Promise((resolve, reject) => {
    const options = { env: { ...process.env, NODE_OPTIONS: '' } };
    const child = execFile(process.execPath, [fileURLToPath(import.meta.url)], options, (error, stdout) =>
      error ? reject(error) : resolve(JSON.parse(stdout) as string[]),
    );
    child.stdin!.end(JSON.stringify(expressions.map(({ source, flags }) => ({ source, flags }))));
  });
}

/** Returns a sentence for each expression that isn't proven linear. */
export async function faultyExpressions(expressions: readonly (Expression & { place: string })[]): Promise<string[]> {
  const times = await provenTimes(expressions);
  return expressions.flatMap(({ place, source }, index) =>
    times[index] === 'safe' ? [] : `${place}: ${source} is ${times[index]}`,
  );
}

if (process.argv[1] === import.meta.filename) {
  const { check } = tools('recheck') as Recheck;
  const expressions = (await json(process.stdin)) as Expression[];
  const proven = expressions.map(async ({ source, flags }) => {
    // Which matches are told apart, and whether their places are, is nothing to the time it takes.
    const result = await check(source, flags.replaceAll(/[dg]/g, ''), { checker: 'automaton', timeout: 300_000 });
    if (result.status === 'unknown') return JSON.stringify(result.error);
    return result.status === 'safe' ? 'safe' : result.complexity.type;
  });
  // recheck's native program would keep it alive.
  process.stdout.write(JSON.stringify(await Promise.all(proven)), () => process.exit());
}
