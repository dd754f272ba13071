/**
 * Runs the checks required before a commit, two at a time, and prints the output of failed checks.
 *
 *   npm run check               runs only the checks
 *   npm run check -- --fix      formats and applies automatic fixes first
 *   npm run check -- --static   skips the unit tests
 */
import { spawn } from 'node:child_process';
import { argv } from 'node:process';
import pLimit from 'p-limit';

const FIXES = ['oxlint --fix', 'npm run --silent format'];
/**
 * Scripts in package.json. The slowest comes first, so the others run in parallel with it. The unit tests also check
 * the module boundaries.
 */
const CHECKS = ['test:unit', 'typecheck', 'format:check', 'lint'];

const isStatic = argv.includes('--static');
const checks = CHECKS.filter((name) => !isStatic || name !== 'test:unit');

if (argv.includes('--fix')) for (const command of FIXES) report(command, await run(command));
const limit = pLimit(2);
await Promise.all(checks.map((name) => limit(async () => report(name, await run(`npm run --silent ${name}`)))));
if (!isStatic) console.log('npm test also runs the property, integration, and end-to-end tests.');

interface CheckResult {
  isPassed: boolean;
  output: string;
  milliseconds: number;
}

function run(command: string): Promise<CheckResult> {
  const started = Date.now();
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  return new Promise((resolve) =>
    child.on('close', (code) => resolve({ isPassed: code === 0, output, milliseconds: Date.now() - started })),
  );
}

function report(name: string, { isPassed, output, milliseconds }: CheckResult): void {
  console.log(`${isPassed ? '✓' : '✗'} ${name} (${(milliseconds / 1_000).toFixed(1)} s)`);
  if (isPassed) return;
  console.log(output);
  process.exitCode = 1;
}
