import { countText } from '../../format/count.js';

/** Ratios below this have one decimal. */
const FEW = 10;

const rounded = (ratio: number): string => countText(ratio < FEW ? Math.round(10 * ratio) / 10 : Math.round(ratio));

/** Returns pages fetched per person sent: "1,204:1", "1:3" if more people were sent, "1,204:0" if nobody was. */
export function ratioText(pages: number, people: number): string {
  if (pages === 0 || people === 0) return `${countText(pages)}:${countText(people)}`;
  return pages >= people ? `${rounded(pages / people)}:1` : `1:${rounded(people / pages)}`;
}
