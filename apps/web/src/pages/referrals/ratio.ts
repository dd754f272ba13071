import { formatCount } from '../../format/count.js';

/** Ratios below this value are shown with one decimal. */
const DECIMAL_LIMIT = 10;

const formatRatio = (ratio: number): string =>
  formatCount(ratio < DECIMAL_LIMIT ? Math.round(10 * ratio) / 10 : Math.round(ratio));

/** Formats pages fetched per person sent: "1,204:1", "1:3" if more people were sent, or "1,204:0" if none were. */
export function ratioText(pages: number, people: number): string {
  if (pages === 0 || people === 0) return `${formatCount(pages)}:${formatCount(people)}`;
  return pages >= people ? `${formatRatio(pages / people)}:1` : `1:${formatRatio(people / pages)}`;
}
