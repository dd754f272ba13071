/**
 * What to run before a commit: two checks at a time, and the output of those that fail.
 *
 *   npm run check            looks only
 *   npm run check -- --fix   formats and mends what can be mended, then looks
 */
import { spawn } from 'node:child_process';
import { argv } from 'node:process';
import pLimit from 'p-limit';

const PRETTIER = 'prettier . --cache --cache-location dist/prettier-cache --log-level warn';
const FIXES = ['oxlint --fix', `${PRETTIER} --write`];
/** The longest first: the others run beside it. The unit tests hold the boundaries, too. */
const CHECKS: Record<string, string> = {
  'unit tests': 'npm run --silent test:unit -- --maxWorkers=1',
  types: 'tsc --noEmit --incremental --tsBuildInfoFile dist/check.tsbuildinfo',
  format: `${PRETTIER} --check`,
  'types of the dashboard': 'tsc -p apps/web',
  lint: 'oxlint --deny-warnings',
  'unused code': 'knip --no-progress',
};

if (argv.includes('--fix')) for (const command of FIXES) report(command, await run(command));
const limit = pLimit(2);
await Promise.all(Object.entries(CHECKS).map(([name, command]) => limit(async () => report(name, await run(command)))));

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
