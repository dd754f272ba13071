import { formatCrawlRatio, getCrawlRatio } from '#libs/contracts/crawl-ratio';
import type { Referrals } from '../../api/statistics.js';

type Counts = Pick<Referrals['operators'][number], 'pages_fetched' | 'referrals'>;

/** Formats pages fetched per person sent: "1,204:1", "1:3" if more people were sent, "no referrals", or "too few people". */
export function ratioText(counts: Counts): string {
  if (counts.referrals === 0) return 'no referrals';
  if (counts.pages_fetched === 0) return 'no pages fetched';
  const ratio = getCrawlRatio(counts);
  if (ratio === null) return 'too few people';
  return ratio >= 1 ? `${formatCrawlRatio(ratio)}:1` : `1:${formatCrawlRatio(1 / ratio)}`;
}

/**
 * Describes the ratio in words: 18 pages per person, or 50 people per page if more people were sent. Null if too few
 * people were sent, or no pages were fetched.
 */
export function describeRatio(counts: Counts): { count: string; per: 'person' | 'page' } | null {
  const ratio = getCrawlRatio(counts);
  if (ratio === null) return null;
  const text = formatCrawlRatio(ratio >= 1 ? ratio : 1 / ratio);
  return ratio >= 1
    ? { count: `${text} ${text === '1' ? 'page' : 'pages'}`, per: 'person' }
    : { count: `${text} ${text === '1' ? 'person' : 'people'}`, per: 'page' };
}
