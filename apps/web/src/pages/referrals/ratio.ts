import { formatCount } from '../../format/count.js';

/** Minimum number of people for a meaningful ratio. */
const MIN_PEOPLE = 5;
/** Ratios below this value are shown with one decimal. */
const DECIMAL_LIMIT = 10;

const formatRatio = (ratio: number): string =>
  formatCount(ratio < DECIMAL_LIMIT ? Math.round(10 * ratio) / 10 : Math.round(ratio));

/** Formats pages fetched per person sent: "1,204:1", "1:3" if more people were sent, "no referrals", or "too few people". */
export function ratioText(pages: number, people: number): string {
  if (people === 0) return 'no referrals';
  if (pages === 0) return 'no pages fetched';
  if (people < MIN_PEOPLE) return 'too few people';
  return pages >= people ? `${formatRatio(pages / people)}:1` : `1:${formatRatio(people / pages)}`;
}

/**
 * Describes the ratio in words, such as "18 pages per person" or "3 people per page".
 *
 * @returns Null if too few people were sent, or no pages were fetched.
 */
export function describeRatio(pages: number, people: number): string | null {
  if (people < MIN_PEOPLE || pages === 0) return null;
  if (pages < people) return `${formatRatio(people / pages)} people per page`;
  const ratio = formatRatio(pages / people);
  return `${ratio} ${ratio === '1' ? 'page' : 'pages'} per person`;
}
