/** What was measured, by dimension. */
import { DIMENSIONS } from './growth-dimensions.ts';
import { median } from './load.ts';

/** By name, a value for each round. */
export type Figures = Record<string, number[]>;

export type GrowthResults = Record<
  string,
  { measuredOn: string; machine: string; sizes: { label: string; figures: Figures }[] }
>;

/** What is measured of each size; a size may lack some. */
const MEASURED: Readonly<Record<string, { heading: string; digits: number }>> = {
  visits: { heading: 'Visits/s', digits: 0 },
  node: { heading: 'Node, µs a visit', digits: 0 },
  postgres: { heading: 'PostgreSQL, µs a visit', digits: 0 },
  timeline: { heading: 'Timeline, p95, ms', digits: 1 },
  overview: { heading: 'Overview of 30 days, p95, ms', digits: 1 },
  start: { heading: 'Start, s', digits: 1 },
  memory: { heading: 'Memory, MB', digits: 0 },
};

/** In Markdown: the medians of the rounds, and how far these are apart. */
export function growthTable(results: GrowthResults): string {
  const columns = Object.entries(MEASURED);
  const found = Object.keys(DIMENSIONS).flatMap((name) => (name in results ? [[name, results[name]!] as const] : []));
  const rows = found.flatMap(([name, { sizes }]) =>
    sizes.map(({ label, figures }) => [
      `${label} ${label === '1' ? name.slice(0, -1) : name}`,
      ...columns.map(([key, { digits }]) => cell(figures[key], digits)),
    ]),
  );
  const lines = [['', ...columns.map(([, { heading }]) => heading)], ['', ...columns].map(() => '---'), ...rows];
  const measured = found.map(([name, { measuredOn, machine }]) => `${name}: ${measuredOn}, ${machine}`);
  return `${measured.join('\n')}\n\n${lines.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n`;
}

function cell(values: readonly number[] | undefined, digits: number): string {
  if (values === undefined) return '';
  const [middle, low, high] = [median(values), Math.min(...values), Math.max(...values)].map((value) =>
    value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  );
  return values.length === 1 ? middle! : `${middle} (${low}–${high})`;
}
