import { glob, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { register } from 'prom-client';

const ROOT = join(import.meta.dirname, '..');
const METRICS_PAGE = join(ROOT, 'docs/metrics.md');
const ROW_PATTERN = /^\| `(agent_traffic_\w+)` .*\|(.*)\|$/gm;

/** Allowed labels. Users, sites and visitors must not be able to choose label values. */
const ALLOWED_LABELS = new Set(
  (
    'check decision group kind limit method outcome partition pipeline problem reason result route service source stage ' +
    'status step topic url verdict version'
  ).split(' '),
);

interface MetricDescription {
  name: string;
  help: string;
  type: string;
  labelNames: readonly string[];
}

let metrics: MetricDescription[];

beforeAll(async () => {
  // Every file that declares metrics imports prom-client. Importing the file registers its metrics.
  for await (const file of glob('{apps,libs}/**/*.ts', { cwd: ROOT, exclude: (name) => name === 'node_modules' })) {
    if (file.endsWith('.spec.ts')) continue;
    if ((await readFile(join(ROOT, file), 'utf8')).includes(`from 'prom-client'`)) await import(join(ROOT, file));
  }
  const registeredMetrics = register.getMetricsAsArray() as unknown as (Omit<MetricDescription, 'type'> & {
    get(): Promise<MetricDescription>;
  })[];
  const ownMetrics = registeredMetrics.filter(({ name }) => name.startsWith('agent_traffic_'));
  metrics = await Promise.all(
    ownMetrics.map(async (metric) => ({ ...(await metric.get()), labelNames: metric.labelNames ?? [] })),
  );
});

it('documents exactly the metrics that the code declares', async () => {
  const page = await readFile(METRICS_PAGE, 'utf8');
  const documented = [...page.matchAll(ROW_PATTERN)].map(([, name]) => name!);
  expect(documented.toSorted()).toEqual(metrics.map(({ name }) => name).toSorted());
  const byName = new Map(metrics.map((metric) => [metric.name, metric]));
  const updatedPage = await format(
    page.replaceAll(ROW_PATTERN, (_, name: string, advice: string) => formatRow(byName.get(name)!, advice)),
    { ...(await resolveConfig(METRICS_PAGE)), parser: 'markdown' },
  );
  if (process.env['UPDATE_METRICS'] === 'true') await writeFile(METRICS_PAGE, updatedPage);
  else expect(page).toBe(updatedPage);
  expect([...page.matchAll(ROW_PATTERN)].filter(([, , advice]) => advice!.trim() === '')).toEqual([]);
});

it('follows Prometheus naming conventions and uses only allowed labels', () => {
  expect(metrics.filter(({ name, type }) => (type === 'counter') !== name.endsWith('_total'))).toEqual([]);
  expect(metrics.filter(({ name }) => /(_ms|_milliseconds|_minutes|_hours|_days|_kb|_mb)(_|$)/.test(name))).toEqual([]);
  expect(metrics.flatMap(({ labelNames }) => labelNames).filter((label) => !ALLOWED_LABELS.has(label))).toEqual([]);
});

function formatRow({ name, type, labelNames, help }: MetricDescription, advice: string): string {
  const labels = labelNames.map((label) => `\`${label}\``).join(', ');
  return `| \`${name}\` | ${type} | ${labels} | ${help.replaceAll('|', '\\|')} |${advice}|`;
}
