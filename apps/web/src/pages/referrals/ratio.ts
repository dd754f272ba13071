import { countText } from '../../format/count.js';

/** Up to so many, a ratio has a decimal. */
const FEW = 10;

const rounded = (ratio: number): string => countText(ratio < FEW ? Math.round(10 * ratio) / 10 : Math.round(ratio));

/** Pages fetched for each person sent, as "1,204:1"; "1:3" where more people came; "1,204:0" where nobody did. */
export function ratioText(pages: number, people: number): string {
  if (pages === 0 || people === 0) return `${countText(pages)}:${countText(people)}`;
  return pages >= people ? `${rounded(pages / people)}:1` : `1:${rounded(people / pages)}`;
}
