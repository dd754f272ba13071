/**
 * What to run before a commit: two checks at a time, and the output of those that fail.
 *
 *   npm run check               looks only
 *   npm run check -- --fix      formats and mends what can be mended, then looks
 *   npm run check -- --static   leaves the tests out
 */
import { spawn } from 'node:child_process';
import { argv } from 'node:process';
import pLimit from 'p-limit';

const FIXES = ['oxlint --fix', 'npm run --silent format'];
/** Scripts of package.json, the longest first: the others run beside it. The unit tests hold the boundaries, too. */
const CHECKS = ['test:unit', 'typecheck', 'format:check', 'lint'];

const isStatic = argv.includes('--static');
const checks = CHECKS.filter((name) => !isStatic || name !== 'test:unit');

if (argv.includes('--fix')) for (const command of FIXES) report(command, await run(command));
const limit = pLimit(2);
await Promise.all(checks.map((name) => limit(async () => report(name, await run(`npm run --silent ${name}`)))));
if (!isStatic) console.log('npm test also runs the property, integration and end-to-end tests.');

interface Ended {
  isPassed: boolean;
  output: string;
  /** How long it took, in milliseconds. */
  milliseconds: number;
}

function run(command: string): Promise<Ended> {
  const started = Date.now();
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  return new Promise((resolve) =>
    child.on('close', (code) => resolve({ isPassed: code === 0, output, milliseconds: Date.now() - started })),
  );
}

function report(name: string, { isPassed, output, milliseconds }: Ended): void {
  console.log(`${isPassed ? '✓' : '✗'} ${name} (${(milliseconds / 1_000).toFixed(1)} s)`);
  if (isPassed) return;
  console.log(output);
  process.exitCode = 1;
}
