const WIDTH = 100;
const HEIGHT = 40;

/**
 * Returns SVG points in a 100 × 40 box.
 *
 * @param length Number of values that span the full width.
 */
const toPoints = (values: readonly number[], maxValue: number, length: number): string[] =>
  values.map((value, index) => {
    const x = length < 2 ? 0 : (index / (length - 1)) * WIDTH;
    return `${x.toFixed(2)} ${(HEIGHT - (value / maxValue) * HEIGHT).toFixed(2)}`;
  });

export const toLinePath = (values: readonly number[], maxValue: number, length: number): string =>
  `M${toPoints(values, maxValue, length).join('L')}`;

/** Returns the SVG path for the area below the line. A single value spans the full width. */
export function toAreaPath(values: readonly number[], maxValue: number): string {
  const all = values.length === 1 ? [values[0]!, values[0]!] : values;
  return `M0 ${HEIGHT}L${toPoints(all, maxValue, all.length).join('L')}L${WIDTH} ${HEIGHT}Z`;
}
