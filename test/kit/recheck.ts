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
 * Returns recheck's verdict on each expression: `safe` if every input is proven to take linear time, otherwise a
 * complexity such as `polynomial` or the reason why nothing is proven. Runs in a separate process, because recheck is
 * slow on platforms without a native build.
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

/** Returns a message for each expression that isn't proven to be linear. */
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
    // The flags `d` and `g` don't affect the running time.
    const result = await check(source, flags.replaceAll(/[dg]/g, ''), { checker: 'automaton', timeout: 300_000 });
    if (result.status === 'unknown') return JSON.stringify(result.error);
    return result.status === 'safe' ? 'safe' : result.complexity.type;
  });
  // recheck's native process would keep this one alive.
  process.stdout.write(JSON.stringify(await Promise.all(proven)), () => process.exit());
}
