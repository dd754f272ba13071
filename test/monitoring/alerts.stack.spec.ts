import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { ensureCommands } from '../stack/packages.ts';
import { readAlerts, ROOT, RULES_FILE } from './alerts.js';

const run = promisify(execFile);
const TESTS = ['alerts.test.yml', 'alerts-of-days.test.yml'].map((name) => join(ROOT, 'test/monitoring', name));

interface TestFile {
  tests: { alert_rule_test: { alertname: string; exp_alerts?: unknown[] }[] }[];
}

beforeAll(() => ensureCommands({ promtool: 'prometheus' }));

it("passes promtool's rule check", async () => {
  expect((await run('promtool', ['check', 'rules', RULES_FILE])).stdout).toContain('SUCCESS');
});

it('fires each alert under its condition and not earlier', async () => {
  const { stdout } = await run('promtool', ['test', 'rules', ...TESTS]).catch(
    (error: { stdout: string; stderr: string }) => ({
      stdout: error.stdout + error.stderr,
    }),
  );
  expect(stdout.match(/SUCCESS|FAILED/g)).toEqual(TESTS.map(() => 'SUCCESS'));
  const cases = TESTS.flatMap((file) =>
    (parse(readFileSync(file, 'utf8')) as TestFile).tests.flatMap(({ alert_rule_test: each }) => each),
  );
  const firing = cases.filter(({ exp_alerts: alerts = [] }) => alerts.length > 0);
  const fired = new Set(firing.map(({ alertname }) => alertname));
  const names = readAlerts().map(({ alert }) => alert);
  expect(names.filter((name) => !fired.has(name))).toEqual([]);
  expect(cases.length - firing.length).toBeGreaterThan(10);
});
