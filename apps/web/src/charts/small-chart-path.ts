const WIDTH = 100;
const HEIGHT = 40;

/** Returns SVG points in a box of 100 by 40. @param length Number of values that would fill the box. */
const pointsOf = (values: readonly number[], most: number, length: number): string[] =>
  values.map((value, index) => {
    const x = length < 2 ? 0 : (index / (length - 1)) * WIDTH;
    return `${x.toFixed(2)} ${(HEIGHT - (value / most) * HEIGHT).toFixed(2)}`;
  });

export const linePath = (values: readonly number[], most: number, length: number): string =>
  `M${pointsOf(values, most, length).join('L')}`;

/** Returns the area below the line. A single value fills the width of the box. */
export function areaPath(values: readonly number[], most: number): string {
  const all = values.length === 1 ? [values[0]!, values[0]!] : values;
  return `M0 ${HEIGHT}L${pointsOf(all, most, all.length).join('L')}L${WIDTH} ${HEIGHT}Z`;
}
