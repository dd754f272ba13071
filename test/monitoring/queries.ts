/** What dashboards and alerts ask Prometheus, and what of our metrics they name. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAlerts, ROOT } from './alerts.ts';
import { DASHBOARDS, inNamespace } from './dashboards.ts';

export interface Query {
  /** Where it stands. */
  from: string;
  expr: string;
}

/** Every query, with the window of a rate and the namespaces where Grafana would choose them. */
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

/** Metrics in a query, each with the labels that are demanded of it; `by` and `on` are of all of them. */
export function namedIn(expr: string): Named[] {
  const grouped = [...expr.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, list]) => list!.split(/,\s*/));
  const selectors = expr.matchAll(/\b(agent_traffic_\w+|nodejs_\w+|process_\w+|up)\b(?:\{([^}]*)\})?/g);
  return [...selectors].map(([, metric, matchers = '']) => ({
    metric: metric!,
    labels: [...grouped, ...[...matchers.matchAll(/(\w+)\s*(?:=|!=|=~|!~)\s*"/g)].map(([, label]) => label!)],
  }));
}

/** Labels of each of our metrics, as docs/metrics.md has them from the code; of histograms by the names of their series. */
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
