import { execFile } from 'node:child_process';
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

it('builds no tests', () => {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.build.json'), ts.sys.readFile);
  const { fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const built = fileNames.map((file) => relative(ROOT, file));
  expect(built).toContain('apps/standalone/src/main.ts');
  expect(built.filter((file) => !/^(apps|libs)\//.test(file) || file.endsWith('.spec.ts'))).toEqual([]);
});
