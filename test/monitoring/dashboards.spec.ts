import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './alerts.js';
import { DASHBOARDS, grafanaJson } from './dashboards.js';
import { documentedLabels, namedIn, readQueries } from './queries.js';

const FOLDER = join(ROOT, 'deploy/grafana');
/** Those that Prometheus adds; the namespace on Kubernetes. */
const OF_TARGETS = new Set(['job', 'instance', 'namespace']);

// UPDATE_DASHBOARDS=true writes the files anew.
it.each(DASHBOARDS)('has the dashboard $name in its file', (dashboard) => {
  const file = join(FOLDER, `${dashboard.name}.json`);
  if (process.env['UPDATE_DASHBOARDS'] === 'true') writeFileSync(file, grafanaJson(dashboard));
  expect(readFileSync(file, 'utf8')).toBe(grafanaJson(dashboard));
});

it('has no other dashboards', () => {
  expect(readdirSync(FOLDER).toSorted()).toEqual(DASHBOARDS.map(({ name }) => `${name}.json`).toSorted());
});

it('asks only for metrics that there are, by labels that they have', () => {
  const known = documentedLabels();
  const faults: string[] = [];
  for (const { from, expr } of readQueries()) {
    const named = namedIn(expr);
    if (named.length === 0) faults.push(`${from}: names no metric`);
    for (const { metric, labels } of named) {
      if (!metric.startsWith('agent_traffic_')) continue;
      const own = known.get(metric);
      if (own === undefined) faults.push(`${from}: there is no ${metric}`);
      for (const label of labels) {
        if (own?.has(label) === false && !OF_TARGETS.has(label)) faults.push(`${from}: ${metric} has no ${label}`);
      }
    }
  }
  expect(faults).toEqual([]);
});

it('shows labels in legends that the query keeps', () => {
  for (const { panels } of DASHBOARDS) {
    for (const [legend, expr] of panels.flatMap(({ queries }) => Object.entries(queries))) {
      const shown = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!);
      const kept = new Set(namedIn(expr).flatMap(({ labels }) => labels));
      const isPlain = !/\bby\b/.test(expr);
      expect([legend, shown.filter((label) => !kept.has(label) && !isPlain)]).toEqual([legend, []]);
    }
  }
});
