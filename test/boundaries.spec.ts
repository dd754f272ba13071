import { execFile } from 'node:child_process';
import { readFile, glob } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';

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

it('builds no tests', () => {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.build.json'), ts.sys.readFile);
  const { fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const built = fileNames.map((file) => relative(ROOT, file));
  expect(built).toContain('apps/standalone/src/main.ts');
  expect(built.filter((file) => !/^(apps|libs)\//.test(file) || file.endsWith('.spec.ts'))).toEqual([]);
});
