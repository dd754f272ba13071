import { createRequire } from 'node:module';
import { json } from 'node:stream/consumers';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { check } from 'recheck';

export interface Expression {
  source: string;
  flags: string;
}
type Check = (...of: Parameters<typeof check>) => Awaited<ReturnType<typeof check>>;

/**
 * What recheck's automaton says of each expression: `safe` proves that no text takes more than linear time. Others name
 * the kind, such as `polynomial`, or why nothing is proven. In a process of its own: in Jest's it takes ten times as long.
 */
export function provenTimes(expressions: Expression[]): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const options = { env: { ...process.env, NODE_OPTIONS: '' } };
    const child = execFile(process.execPath, [fileURLToPath(import.meta.url)], options, (error, stdout) =>
      error ? reject(error) : resolve(JSON.parse(stdout) as string[]),
    );
    child.stdin!.end(JSON.stringify(expressions.map(({ source, flags }) => ({ source, flags }))));
  });
}

if (process.argv[1] === import.meta.filename) {
  // The package's entry looks for a native program and for Java first; this one is JavaScript alone.
  const { checkSync } = createRequire(import.meta.url)('recheck/lib/browser.js') as { checkSync: Check };
  const proven = ((await json(process.stdin)) as Expression[]).map(({ source, flags }) => {
    // Which matches are told apart, and whether their places are, is nothing to the time it takes.
    const result = checkSync(source, flags.replaceAll(/[dg]/g, ''), { checker: 'automaton', timeout: 60_000 });
    if (result.status === 'unknown') return JSON.stringify(result.error);
    return result.status === 'safe' ? 'safe' : result.complexity.type;
  });
  process.stdout.write(JSON.stringify(proven));
}
