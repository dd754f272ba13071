const NUMBER = new Intl.NumberFormat('en');
const LONG = new Intl.NumberFormat('en', { notation: 'compact', compactDisplay: 'long', maximumFractionDigits: 1 });

/** Returns a number with its thousands separated: "1,399". */
export const countText = (count: number): string => NUMBER.format(count);

/** Returns a number of visits: "1,399 visits", "1 visit". @param number as it is written. */
export const visitsText = (count: number, number = countText(count)): string =>
  `${number} ${count === 1 ? 'visit' : 'visits'}`;

/** Returns a number that may be estimated: "≈ 1,399". */
export const approximateText = (count: number, isEstimated: boolean): string =>
  (isEstimated && count > 0 ? '≈ ' : '') + countText(count);

/** Returns a number as people say it: "1,399", and "3.1 million". */
export const longCountText = (count: number): string => (count < 1_000_000 ? NUMBER : LONG).format(count);

/** Returns a rounded number as people say it: "about 1.2 million", "about 340,000". */
export const aboutText = (count: number): string => `about ${longCountText(count)}`;
