import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './alerts.js';
import { DASHBOARDS, grafanaJson } from './dashboards.js';
import { documentedLabels, namedIn, readQueries } from './queries.js';

const FOLDER = join(ROOT, 'deploy/grafana');
/** Labels that Prometheus adds. `namespace` exists only on Kubernetes. */
const OF_TARGETS = new Set(['job', 'instance', 'namespace']);

// UPDATE_DASHBOARDS=true regenerates the files.
it.each(DASHBOARDS)('matches the file of the dashboard $name', (dashboard) => {
  const file = join(FOLDER, `${dashboard.name}.json`);
  if (process.env['UPDATE_DASHBOARDS'] === 'true') writeFileSync(file, grafanaJson(dashboard));
  expect(readFileSync(file, 'utf8')).toBe(grafanaJson(dashboard));
});

it('finds no other dashboard files', () => {
  expect(readdirSync(FOLDER).toSorted()).toEqual(DASHBOARDS.map(({ name }) => `${name}.json`).toSorted());
});

it('queries only documented metrics and labels', () => {
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

it('uses no label in a legend that the query drops', () => {
  for (const { panels } of DASHBOARDS) {
    for (const [legend, expr] of panels.flatMap(({ queries }) => Object.entries(queries))) {
      const shown = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!);
      const kept = new Set(namedIn(expr).flatMap(({ labels }) => labels));
      const isPlain = !/\bby\b/.test(expr);
      expect([legend, shown.filter((label) => !kept.has(label) && !isPlain)]).toEqual([legend, []]);
    }
  }
});
