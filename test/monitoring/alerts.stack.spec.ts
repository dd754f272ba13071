import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { ensureCommands } from '../stack/packages.ts';
import { readAlerts, ROOT, RULES_FILE } from './alerts.js';

const run = promisify(execFile);
const TEST_FILES = ['alerts.test.yml', 'alerts-of-days.test.yml'].map((name) => join(ROOT, 'test/monitoring', name));

interface TestFile {
  tests: { alert_rule_test: { alertname: string; exp_alerts?: unknown[] }[] }[];
}

beforeAll(() => ensureCommands({ promtool: 'prometheus' }));

it("contains only alert rules that pass promtool's check", async () => {
  expect((await run('promtool', ['check', 'rules', RULES_FILE])).stdout).toContain('SUCCESS');
});

it('fires each alert once its condition is met, and not earlier', async () => {
  const { stdout } = await run('promtool', ['test', 'rules', ...TEST_FILES]).catch(
    (error: { stdout: string; stderr: string }) => ({
      stdout: error.stdout + error.stderr,
    }),
  );
  expect(stdout.match(/SUCCESS|FAILED/g)).toEqual(TEST_FILES.map(() => 'SUCCESS'));
  const cases = TEST_FILES.flatMap((file) =>
    (parse(readFileSync(file, 'utf8')) as TestFile).tests.flatMap(({ alert_rule_test: each }) => each),
  );
  const firingCases = cases.filter(({ exp_alerts: alerts = [] }) => alerts.length > 0);
  const firedAlerts = new Set(firingCases.map(({ alertname }) => alertname));
  const names = readAlerts().map(({ alert }) => alert);
  expect(names.filter((name) => !firedAlerts.has(name))).toEqual([]);
  expect(cases.length - firingCases.length).toBeGreaterThan(10);
});
