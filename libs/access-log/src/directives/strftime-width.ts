/** Widths of the fixed-width strftime(3) conversions in the C locale, in characters. */
const WIDTHS: Record<string, number> = {
  Y: 4,
  y: 2,
  m: 2,
  b: 3,
  d: 2,
  e: 2,
  H: 2,
  M: 2,
  S: 2,
  z: 5,
  T: 8,
  F: 10,
  s: 10,
  '%': 1,
};

/** Returns the width of times in a strftime format, in characters. Returns null if it varies. */
export function strftimeWidth(format: string): number | null {
  let width = 0;
  for (let at = 0; at < format.length; at += 1) {
    if (format[at] !== '%') {
      width += 1;
      continue;
    }
    at += 1;
    const conversionWidth = WIDTHS[format[at] ?? ''];
    if (conversionWidth === undefined) return null;
    width += conversionWidth;
  }
  return width;
}
