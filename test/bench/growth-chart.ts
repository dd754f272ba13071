/** Draws what was measured: a row for each figure with the same scale, a column for each dimension. */
import { DIMENSIONS } from './growth-dimensions.ts';
import type { GrowthResults } from './growth-results.ts';
import { median } from './load.ts';

/** Pixels. */
const PANEL = { width: 170, height: 110, gap: 22 };
const MARGIN = { left: 16, top: 54, right: 16, bottom: 24 };
const LABELS = 34;

const ROWS = [
  { name: 'visits', title: 'Visits stored a second', unit: '' },
  { name: 'timeline', title: 'First page of the timeline, p95', unit: 'ms' },
  { name: 'overview', title: 'Overview of 30 days, p95', unit: 'ms' },
];

const STYLE = `
  text { font: 11px system-ui, sans-serif; fill: #1f2329 }
  .ground { fill: #ffffff } .title { font-weight: 600 } .soft { fill: #5c636a }
  .axis { stroke: #ced4da } .line { stroke: #3b5bdb; stroke-width: 2; fill: none } .dot { fill: #3b5bdb } .range { stroke: #3b5bdb; opacity: .5 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6e8eb } .ground { fill: #1a1b1e } .soft { fill: #a6adb4 }
    .axis { stroke: #495057 } .line, .range { stroke: #91a7ff } .dot { fill: #91a7ff }
  }`;

/** @returns an SVG that suits light and dark pages. */
export function growthChart(results: GrowthResults): string {
  const columns = Object.entries(DIMENSIONS).filter(([name]) => name in results);
  const width = MARGIN.left + columns.length * (PANEL.width + PANEL.gap) - PANEL.gap + MARGIN.right;
  const rowHeight = LABELS + PANEL.height + PANEL.gap;
  const height = MARGIN.top + ROWS.length * rowHeight + MARGIN.bottom;
  const left = (column: number): number => MARGIN.left + column * (PANEL.width + PANEL.gap);
  const parts = columns.map(([, { title }], column) => text(left(column), 34, title, 'title'));
  for (const [row, { name, title, unit }] of ROWS.entries()) {
    const top = MARGIN.top + row * rowHeight;
    parts.push(text(MARGIN.left, top + 14, unit === '' ? title : `${title}, ${unit}`, 'soft'));
    const highest = Math.max(
      ...columns.flatMap(([key]) => results[key]!.sizes.flatMap(({ figures }) => figures[name] ?? [])),
    );
    for (const [column, [key]] of columns.entries()) {
      const points = results[key]!.sizes.map(({ label, figures }) => ({ label, values: figures[name]! }));
      parts.push(panel(left(column), top + LABELS, points, highest));
    }
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="What more visits, projects, agents, address ranges and writers cost">
<style>${STYLE}</style>
<rect class="ground" width="${width}" height="${height}" rx="6"/>
${parts.join('\n')}
</svg>
`;
}

function panel(
  left: number,
  top: number,
  points: readonly { label: string; values: number[] }[],
  highest: number,
): string {
  const bottom = top + PANEL.height - 18;
  const x = (index: number): number => left + (PANEL.width * (index + 0.5)) / points.length;
  const y = (value: number): number => bottom - ((bottom - top - 14) * value) / highest;
  const line = points.map(({ values }, index) => `${x(index).toFixed(1)},${y(median(values)).toFixed(1)}`).join(' ');
  return [
    `<line class="axis" x1="${left}" x2="${left + PANEL.width}" y1="${bottom}" y2="${bottom}"/>`,
    `<polyline class="line" points="${line}"/>`,
    ...points.flatMap(({ label, values }, index) => [
      `<line class="range" x1="${x(index)}" x2="${x(index)}" y1="${y(Math.min(...values))}" y2="${y(Math.max(...values))}"/>`,
      `<circle class="dot" cx="${x(index)}" cy="${y(median(values))}" r="3.5"/>`,
      text(x(index), y(Math.max(...values)) - 6, shortened(median(values)), '', 'middle'),
      text(x(index), bottom + 14, label.replace(/,000,000$/, ' M'), 'soft', 'middle'),
    ]),
  ].join('\n');
}

const shortened = (value: number): string =>
  value.toLocaleString('en', value < 100 ? { maximumSignificantDigits: 2 } : { maximumSignificantDigits: 3 });

const text = (x: number, y: number, content: string, style: string, anchor = 'start'): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}"${style && ` class="${style}"`}${anchor === 'start' ? '' : ` text-anchor="${anchor}"`}>${content}</text>`;
