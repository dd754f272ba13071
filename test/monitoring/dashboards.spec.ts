import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './alerts.js';
import { DASHBOARDS, toGrafanaJson } from './dashboards.js';
import { readDocumentedLabels, extractMetrics, readQueries } from './queries.js';

const FOLDER = join(ROOT, 'deploy/grafana');
/** Labels that Prometheus adds to every series. `namespace` exists only on Kubernetes. */
const TARGET_LABELS = new Set(['job', 'instance', 'namespace']);

// UPDATE_DASHBOARDS=true regenerates the files.
it.each(DASHBOARDS)('matches the generated file for the $name dashboard', (dashboard) => {
  const file = join(FOLDER, `${dashboard.name}.json`);
  if (process.env['UPDATE_DASHBOARDS'] === 'true') writeFileSync(file, toGrafanaJson(dashboard));
  expect(readFileSync(file, 'utf8')).toBe(toGrafanaJson(dashboard));
});

it('has no unused dashboard files', () => {
  expect(readdirSync(FOLDER).toSorted()).toEqual(DASHBOARDS.map(({ name }) => `${name}.json`).toSorted());
});

it('queries only documented metrics and labels', () => {
  const labelsByMetric = readDocumentedLabels();
  const faults: string[] = [];
  for (const { source, expr } of readQueries()) {
    const references = extractMetrics(expr);
    if (references.length === 0) faults.push(`${source}: contains no metric`);
    for (const { metric, labels } of references) {
      if (!metric.startsWith('agent_traffic_')) continue;
      const metricLabels = labelsByMetric.get(metric);
      if (metricLabels === undefined) faults.push(`${source}: unknown metric ${metric}`);
      for (const label of labels) {
        if (metricLabels?.has(label) === false && !TARGET_LABELS.has(label))
          faults.push(`${source}: ${metric} has no label ${label}`);
      }
    }
  }
  expect(faults).toEqual([]);
});

it('uses only labels in legends that the query returns', () => {
  for (const { panels } of DASHBOARDS) {
    for (const [legend, expr] of panels.flatMap(({ queries }) => Object.entries(queries))) {
      const legendLabels = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!);
      const queryLabels = new Set(extractMetrics(expr).flatMap(({ labels }) => labels));
      const isUngrouped = !/\bby\b/.test(expr);
      expect([legend, legendLabels.filter((label) => !queryLabels.has(label) && !isUngrouped)]).toEqual([legend, []]);
    }
  }
});
