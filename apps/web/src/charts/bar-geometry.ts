/** Widths in which a gap between bars is visible. */
const MIN_SLOT_WITH_GAP_PX = 3;
const MAX_GAP_PX = 6;

/** Horizontal layout of a chart's bars. Each bar is centered in a slot of equal width. */
interface BarLayout {
  slot: number;
  gap: number;
}

/** Returns the layout of the bars. Narrow bars touch each other. */
export function layOutBars(count: number, width: number): BarLayout {
  const slot = width / Math.max(1, count);
  return { slot, gap: slot < MIN_SLOT_WITH_GAP_PX ? 0 : Math.min(MAX_GAP_PX, Math.max(1, slot * 0.2)) };
}

const round = (value: number): number => Math.round(100 * value) / 100;

/** Bar from one value to another, on the chart's scale. */
export interface BarSpan {
  index: number;
  from: number;
  to: number;
}

/**
 * Returns the SVG path for one series of bars.
 *
 * @param toY Converts a value to a vertical position.
 */
export const toBarsPath = (spans: readonly BarSpan[], { slot, gap }: BarLayout, toY: (value: number) => number) =>
  spans
    .filter(({ from, to }) => to > from)
    .map(({ index, from, to }) => {
      const width = round(slot - gap);
      return `M${round(index * slot + gap / 2)} ${round(toY(to))}h${width}V${round(toY(from))}h${-width}z`;
    })
    .join('');

/** Returns the SVG path for a series of levels: a line with one step per slot. */
export const toLevelsPath = (values: readonly number[], { slot }: BarLayout, toY: (value: number) => number): string =>
  values
    .map((value, index) => `${index === 0 ? 'M0 ' : 'V'}${round(toY(value))}H${round((index + 1) * slot)}`)
    .join('');

const STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];
const MAX_INTERVALS = 4;
/** Minimum distance between the labels of the value axis. */
const MIN_INTERVAL_PX = 28;

/** Returns the number of intervals whose labels don't touch each other. */
export const countIntervals = (heightPx: number): number =>
  Math.min(MAX_INTERVALS, Math.max(1, Math.floor(heightPx / MIN_INTERVAL_PX)));

/** Returns the values to label on the vertical axis, from 0 to at least the highest value. */
export function selectLevels(highest: number, maxIntervals = MAX_INTERVALS): number[] {
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(1, highest / maxIntervals)));
  const candidates = STEPS.map((step) => step * magnitude).filter((step) => Number.isInteger(step));
  const step = candidates.find((candidate) => candidate >= highest / maxIntervals) ?? 1;
  const count = Math.max(1, Math.ceil(highest / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}
