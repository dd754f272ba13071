const NUMBER = new Intl.NumberFormat('en');
const LONG = new Intl.NumberFormat('en', { notation: 'compact', compactDisplay: 'long', maximumFractionDigits: 1 });

/** Formats a number such as "1,399". */
export const countText = (count: number): string => NUMBER.format(count);

/** Formats a number of visits such as "1,399 visits" or "1 visit". @param number The number as text. */
export const visitsText = (count: number, number = countText(count)): string =>
  `${number} ${count === 1 ? 'visit' : 'visits'}`;

/** Formats a number. Estimates are marked as in "≈ 1,399". */
export const approximateText = (count: number, isEstimated: boolean): string =>
  (isEstimated && count > 0 ? '≈ ' : '') + countText(count);

/** Formats a number with millions in words, such as "1,399" or "3.1 million". */
export const longCountText = (count: number): string => (count < 1_000_000 ? NUMBER : LONG).format(count);

/** Formats a rounded number such as "about 1.2 million" or "about 340,000". */
export const aboutText = (count: number): string => `about ${longCountText(count)}`;
