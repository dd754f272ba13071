/** Prometheus queries of our dashboards and alerts, and the metrics and labels they use. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAlerts, ROOT } from './alerts.ts';
import { DASHBOARDS, inNamespace } from './dashboards.ts';

export interface Query {
  /** Name of the alert, or `dashboard: panel`. */
  from: string;
  expr: string;
}

/** Returns all queries. Grafana variables become a one-minute rate interval and a match for every namespace. */
export const readQueries = (): Query[] => [
  ...readAlerts().map(({ alert, expr }) => ({ from: alert, expr })),
  ...DASHBOARDS.flatMap(({ name, panels }) =>
    panels.flatMap(({ title, queries }) =>
      Object.values(queries).map((expr) => ({
        from: `${name}: ${title}`,
        expr: inNamespace(expr).replaceAll('$__rate_interval', '1m').replaceAll('$namespace', '.*'),
      })),
    ),
  ),
];

interface Named {
  metric: string;
  labels: string[];
}

/** Returns the metrics in a query with the labels each must have. Labels in `by` and `on` count for every metric. */
export function namedIn(expr: string): Named[] {
  const grouped = [...expr.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, list]) => list!.split(/,\s*/));
  const selectors = expr.matchAll(/\b(agent_traffic_\w+|nodejs_\w+|process_\w+|up)\b(?:\{([^}]*)\})?/g);
  return [...selectors].map(([, metric, matchers = '']) => ({
    metric: metric!,
    labels: [...grouped, ...[...matchers.matchAll(/(\w+)\s*(?:=|!=|=~|!~)\s*"/g)].map(([, label]) => label!)],
  }));
}

/** Returns the labels of each time series, as documented in docs/metrics.md. A histogram has three series. */
export function documentedLabels(): Map<string, Set<string>> {
  const page = readFileSync(join(ROOT, 'docs/metrics.md'), 'utf8');
  const known = new Map<string, Set<string>>();
  for (const [, name, type, cell] of page.matchAll(/^\| `(agent_traffic_\w+)` *\| (\w+) *\|([^|]*)\|/gm)) {
    const labels = new Set([...cell!.matchAll(/`(\w+)`/g)].map(([, label]) => label!));
    const suffixes = type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
    for (const suffix of suffixes)
      known.set(name! + suffix, new Set([...labels, ...(suffix === '_bucket' ? ['le'] : [])]));
  }
  return known;
}
