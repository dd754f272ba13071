import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  scripts: { prepare: string };
};

/** Runs the script with only Node.js on the PATH, so a build fails. */
const prepare = (npmCommand: string) =>
  execFileSync('/bin/sh', ['-c', scripts.prepare], {
    env: { PATH: `${dirname(process.execPath)}`, npm_command: npmCommand },
    stdio: 'pipe',
  });

it('builds on npm ci, but not when npx runs a command', () => {
  expect(() => prepare('exec')).not.toThrow();
  expect(() => prepare('ci')).toThrow('npm');
});
