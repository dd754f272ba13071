import { formatCount } from '../../format/count.js';

/** Ratios below this value are shown with one decimal. */
const DECIMAL_LIMIT = 10;

const formatRatio = (ratio: number): string =>
  formatCount(ratio < DECIMAL_LIMIT ? Math.round(10 * ratio) / 10 : Math.round(ratio));

/** Formats pages fetched per person sent: "1,204:1", "1:3" if more people were sent, or "no referrals". */
export function ratioText(pages: number, people: number): string {
  if (people === 0) return 'no referrals';
  if (pages === 0) return 'no pages fetched';
  return pages >= people ? `${formatRatio(pages / people)}:1` : `1:${formatRatio(people / pages)}`;
}

/** Describes the ratio in words, such as "18 pages per person" or "3 people per page". */
export function describeRatio(pages: number, people: number): string {
  if (people === 0 || pages === 0) return ratioText(pages, people);
  if (pages < people) return `${formatRatio(people / pages)} people per page`;
  const ratio = formatRatio(pages / people);
  return `${ratio} ${ratio === '1' ? 'page' : 'pages'} per person`;
}
