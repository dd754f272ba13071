import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  scripts: { prepare: string };
};

/** Runs the `runPrepare` script with only Node.js on the PATH, so that any build would fail. */
const runPrepare = (npmCommand: string) =>
  execFileSync('/bin/sh', ['-c', scripts.prepare], {
    env: { PATH: `${dirname(process.execPath)}`, npm_command: npmCommand },
    stdio: 'pipe',
  });

it('builds on npm ci, but not on npx', () => {
  expect(() => runPrepare('exec')).not.toThrow();
  expect(() => runPrepare('ci')).toThrow('npm');
});
