import { execFile } from 'node:child_process';
import { readFile, glob } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '..');
const run = promisify(execFile);

it('keeps the boundaries between apps and libs', async () => {
  const cli = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const report = await run(process.execPath, [cli, '--config', '.dependency-cruiser.cjs', 'apps', 'libs', 'test'], {
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: '' },
  }).catch((error: { stdout: string; stderr: string }) => error);
  expect(report.stderr + report.stdout).toContain('no dependency violations found');
});

it('reads the environment in env.ts files only', async () => {
  const offenders: string[] = [];
  for await (const file of glob('{apps,libs}/**/*.ts', { cwd: ROOT, exclude: (name) => name === 'node_modules' })) {
    if (/(^|\/)env\.ts$|\.spec\.ts$/.test(file)) continue;
    if ((await readFile(join(ROOT, file), 'utf8')).includes('process.env')) offenders.push(file);
  }
  expect(offenders).toEqual([]);
});
