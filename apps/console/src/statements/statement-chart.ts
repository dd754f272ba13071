import { IDENTITIES, type DayCounts, type Identity } from './statement.js';
import { IDENTITY_LABELS } from './statement-text.js';

const [WIDTH, HEIGHT] = [800, 170];
const [LEFT, TOP, BOTTOM] = [64, 26, 22];
/** Shades that can be distinguished in black and white. */
const FILLS: Record<Identity, string> = { verified: '#1f4e79', claimed: '#7fa6c9', spoofed: '#d9d9d9' };
const LEGEND_STEP = 90;

/** Returns a bar chart of the fetches by day as SVG. The same numbers are in a table, so it's hidden from screen readers. */
export function renderChart(days: readonly DayCounts[]): string {
  const max = Math.max(1, ...days.map(({ verified, claimed, spoofed }) => verified + claimed + spoofed));
  const step = (WIDTH - LEFT) / days.length;
  const scale = (HEIGHT - TOP - BOTTOM) / max;
  const bars = days.flatMap((day, index) => {
    let top = HEIGHT - BOTTOM;
    return IDENTITIES.map((identity) => {
      const height = day[identity] * scale;
      top -= height;
      if (height === 0) return '';
      const position = `x="${round(LEFT + index * step + step * 0.1)}" y="${round(top)}"`;
      return `<rect ${position} width="${round(step * 0.8)}" height="${round(height)}" fill="${FILLS[identity]}"/>`;
    });
  });
  const legend = IDENTITIES.map(
    (identity, index) =>
      `<rect x="${LEFT + index * LEGEND_STEP}" y="2" width="10" height="10" fill="${FILLS[identity]}"/>` +
      `<text x="${LEFT + index * LEGEND_STEP + 15}" y="11">${IDENTITY_LABELS[identity]}</text>`,
  );
  const base = HEIGHT - BOTTOM;
  const text = (x: number, y: number, anchor: string, content: string) =>
    `<text x="${x}" y="${y}" text-anchor="${anchor}">${content}</text>`;
  return [
    `<figure><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true" font-family="inherit" font-size="12" fill="#1a1a1a">`,
    ...legend,
    text(LEFT - 8, TOP + 4, 'end', max.toLocaleString('en-US')),
    text(LEFT - 8, base, 'end', '0'),
    `<path d="M${LEFT} ${TOP}H${WIDTH}M${LEFT} ${base}H${WIDTH}" stroke="#999" fill="none"/>`,
    ...bars,
    text(LEFT, HEIGHT - 5, 'start', days[0]!.day),
    ...(days.length > 1 ? [text(WIDTH, HEIGHT - 5, 'end', days.at(-1)!.day)] : []),
    '</svg></figure>',
  ].join('');
}

const round = (value: number): string => value.toFixed(2);
