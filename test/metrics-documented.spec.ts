import { glob, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { register } from 'prom-client';

const ROOT = join(import.meta.dirname, '..');
const PAGE = join(ROOT, 'docs/metrics.md');
const ROW = /^\| `(agent_traffic_\w+)` .*\|(.*)\|$/gm;

/** Allowed labels. None has values that users, sites or visitors choose. */
const LABELS = new Set(
  (
    'check decision group kind limit method outcome partition pipeline problem reason result route service source stage ' +
    'status step topic url verdict version'
  ).split(' '),
);

interface Declared {
  name: string;
  help: string;
  type: string;
  labelNames: readonly string[];
}

let metrics: Declared[];

beforeAll(async () => {
  // Every file that declares metrics imports prom-client. Loading it registers them.
  for await (const file of glob('{apps,libs}/**/*.ts', { cwd: ROOT, exclude: (name) => name === 'node_modules' })) {
    if (file.endsWith('.spec.ts')) continue;
    if ((await readFile(join(ROOT, file), 'utf8')).includes(`from 'prom-client'`)) await import(join(ROOT, file));
  }
  const known = register.getMetricsAsArray() as unknown as (Omit<Declared, 'type'> & { get(): Promise<Declared> })[];
  const found = known.filter(({ name }) => name.startsWith('agent_traffic_'));
  metrics = await Promise.all(
    found.map(async (metric) => ({ ...(await metric.get()), labelNames: metric.labelNames ?? [] })),
  );
});

it('documents exactly the metrics that the code declares', async () => {
  const page = await readFile(PAGE, 'utf8');
  const documented = [...page.matchAll(ROW)].map(([, name]) => name!);
  expect(documented.toSorted()).toEqual(metrics.map(({ name }) => name).toSorted());
  const byName = new Map(metrics.map((metric) => [metric.name, metric]));
  const written = await format(
    page.replaceAll(ROW, (_, name: string, advice: string) => rowOf(byName.get(name)!, advice)),
    { ...(await resolveConfig(PAGE)), parser: 'markdown' },
  );
  if (process.env['UPDATE_METRICS'] === 'true') await writeFile(PAGE, written);
  else expect(page).toBe(written);
  expect([...page.matchAll(ROW)].filter(([, , advice]) => advice!.trim() === '')).toEqual([]);
});

it('follows Prometheus naming conventions and uses only allowed labels', () => {
  expect(metrics.filter(({ name, type }) => (type === 'counter') !== name.endsWith('_total'))).toEqual([]);
  expect(metrics.filter(({ name }) => /(_ms|_milliseconds|_minutes|_hours|_days|_kb|_mb)(_|$)/.test(name))).toEqual([]);
  expect(metrics.flatMap(({ labelNames }) => labelNames).filter((label) => !LABELS.has(label))).toEqual([]);
});

function rowOf({ name, type, labelNames, help }: Declared, advice: string): string {
  const labels = labelNames.map((label) => `\`${label}\``).join(', ');
  return `| \`${name}\` | ${type} | ${labels} | ${help.replaceAll('|', '\\|')} |${advice}|`;
}
