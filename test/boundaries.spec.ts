import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '..');
const run = promisify(execFile);

it('respects the boundaries between apps and libs', async () => {
  const cli = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const report = await run(process.execPath, [cli, '--config', '.dependency-cruiser.cjs', 'apps', 'libs', 'test'], {
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: '' },
  }).catch((error: { stdout: string; stderr: string }) => error);
  expect(report.stderr + report.stdout).toContain('no dependency violations found');
});

it('excludes tests from the build', () => {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.build.json'), ts.sys.readFile);
  const { fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const built = fileNames.map((file) => relative(ROOT, file));
  expect(built).toContain('apps/standalone/src/main.ts');
  expect(built.filter((file) => !/^(apps|libs)\//.test(file) || file.endsWith('.spec.ts'))).toEqual([]);
});

const VISIT_TABLES =
  /visits_full|visit_(?:(?:day|hour|top|hour_top|day_top)_)?counts\b|visit_(?:open_hours|open_days|positions|forms|changes)|(?:FROM|INTO|JOIN|UPDATE|TABLE) (?:visits|unknown_visits|checkouts)\b/;

const findFiles = (isAllowed: RegExp, text: RegExp): string[] =>
  globSync('{apps,libs}/**/*.ts', { cwd: ROOT, exclude: ['**/node_modules', '**/dist', 'apps/web'] }).filter(
    (file) => !isAllowed.test(file) && text.test(readFileSync(join(ROOT, file), 'utf8')),
  );

it('references visit tables only in libs/visit-store and libs/database', () => {
  expect(findFiles(/^libs\/(?:visit-store|database)\/|\.spec\.ts$/, VISIT_TABLES)).toEqual([]);
});

it('names the database that stores visits only in libs/visit-store, settings of the CLI, and descriptions', () => {
  // The migration has a column with the name of the visit store.
  expect(findFiles(/^(?:libs\/(?:visit-store|database|contracts)|apps\/cli)\/|\.spec\.ts$/, /clickhouse/i)).toEqual([]);
});
