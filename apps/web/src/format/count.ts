const NUMBER_FORMAT = new Intl.NumberFormat('en');
const LONG_FORMAT = new Intl.NumberFormat('en', {
  notation: 'compact',
  compactDisplay: 'long',
  maximumFractionDigits: 1,
});

/** Formats a number, as in "1,399". */
export const formatCount = (count: number): string => NUMBER_FORMAT.format(count);

/**
 * Formats a visit count, such as "1,399 visits" or "1 visit".
 *
 * @param number The formatted number.
 */
export const formatVisitCount = (count: number, number = formatCount(count)): string =>
  `${number} ${count === 1 ? 'visit' : 'visits'}`;

/** Formats a number, and marks estimates as in "≈ 1,399". */
export const formatEstimate = (count: number, isEstimated: boolean): string =>
  (isEstimated && count > 0 ? '≈ ' : '') + formatCount(count);

/** Formats a number, spelling out millions, as in "1,399" or "3.1 million". */
export const formatLongCount = (count: number): string =>
  (count < 1_000_000 ? NUMBER_FORMAT : LONG_FORMAT).format(count);

/** Formats a rounded number, as in "about 1.2 million" or "about 340,000". */
export const formatRoundedCount = (count: number): string => `about ${formatLongCount(count)}`;
