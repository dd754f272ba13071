import { execFile } from 'node:child_process';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { requireTool } from './tools.ts';

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
 * Returns recheck's verdict for each expression: `safe` if linear time is proven for every input, otherwise a
 * complexity such as `polynomial` or the reason why nothing could be proven. Runs in a separate process, because
 * recheck is slow on platforms without a native build.
 */
export function getVerdicts(expressions: readonly Expression[]): Promise<string[]> {
  if (expressions.length === 0) return Promise.resolve([]);
  return new Promise((resolve, reject) => {
    const options = { env: { ...process.env, NODE_OPTIONS: '' } };
    const child = execFile(process.execPath, [fileURLToPath(import.meta.url)], options, (error, stdout) =>
      error ? reject(error) : resolve(JSON.parse(stdout) as string[]),
    );
    child.stdin!.end(JSON.stringify(expressions.map(({ source, flags }) => ({ source, flags }))));
  });
}

/** Returns a message for each expression that isn't proven to run in linear time. */
export async function findUnprovenExpressions(
  expressions: readonly (Expression & { place: string })[],
): Promise<string[]> {
  const verdicts = await getVerdicts(expressions);
  return expressions.flatMap(({ place, source }, index) =>
    verdicts[index] === 'safe' ? [] : `${place}: ${source} is ${verdicts[index]}`,
  );
}

if (process.argv[1] === import.meta.filename) {
  const { check } = requireTool('recheck') as Recheck;
  const expressions = (await json(process.stdin)) as Expression[];
  const pendingVerdicts = expressions.map(async ({ source, flags }) => {
    // The `d` and `g` flags don't affect the running time.
    const result = await check(source, flags.replaceAll(/[dg]/g, ''), { checker: 'automaton', timeout: 300_000 });
    if (result.status === 'unknown') return JSON.stringify(result.error);
    return result.status === 'safe' ? 'safe' : result.complexity.type;
  });
  // Exit explicitly, because recheck's native process would keep this one alive.
  process.stdout.write(JSON.stringify(await Promise.all(pendingVerdicts)), () => process.exit());
}
