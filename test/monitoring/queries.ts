/** Extracts the Prometheus queries from our dashboards and alerts, and the metrics and labels from the queries. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAlerts, ROOT } from './alerts.ts';
import { DASHBOARDS, limitToNamespace } from './dashboards.ts';

export interface Query {
  /** Alert name, or `dashboard: panel`. */
  source: string;
  expr: string;
}

/** Returns all queries. Replaces Grafana variables with a one-minute rate interval and a pattern for any namespace. */
export const readQueries = (): Query[] => [
  ...readAlerts().map(({ alert, expr }) => ({ source: alert, expr })),
  ...DASHBOARDS.flatMap(({ name, panels }) =>
    panels.flatMap(({ title, queries }) =>
      Object.values(queries).map((expr) => ({
        source: `${name}: ${title}`,
        expr: limitToNamespace(expr).replaceAll('$__rate_interval', '1m').replaceAll('$namespace', '.*'),
      })),
    ),
  ),
];

interface MetricReference {
  metric: string;
  labels: string[];
}

/** Returns each metric in a query with the labels it must have. Labels in `by` and `on` apply to every metric. */
export function extractMetrics(expr: string): MetricReference[] {
  const groupingLabels = [...expr.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, list]) => list!.split(/,\s*/));
  const selectors = expr.matchAll(/\b(agent_traffic_\w+|nodejs_\w+|process_\w+|up)\b(?:\{([^}]*)\})?/g);
  return [...selectors].map(([, metric, matchers = '']) => ({
    metric: metric!,
    labels: [...groupingLabels, ...[...matchers.matchAll(/(\w+)\s*(?:=|!=|=~|!~)\s*"/g)].map(([, label]) => label!)],
  }));
}

/** Returns the labels of each time series documented in docs/metrics.md. A histogram has three series. */
export function readDocumentedLabels(): Map<string, Set<string>> {
  const page = readFileSync(join(ROOT, 'docs/metrics.md'), 'utf8');
  const labelsBySeries = new Map<string, Set<string>>();
  for (const [, name, type, cell] of page.matchAll(/^\| `(agent_traffic_\w+)` *\| (\w+) *\|([^|]*)\|/gm)) {
    const labels = new Set([...cell!.matchAll(/`(\w+)`/g)].map(([, label]) => label!));
    const suffixes = type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
    for (const suffix of suffixes)
      labelsBySeries.set(name! + suffix, new Set([...labels, ...(suffix === '_bucket' ? ['le'] : [])]));
  }
  return labelsBySeries;
}
