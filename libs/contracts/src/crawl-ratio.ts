import type { Referrals } from './statistics.schema.js';

type RatioCounts = Pick<Referrals['operators'][number], 'pages_fetched' | 'referrals'>;
type RatioOperator = RatioCounts & Pick<Referrals['operators'][number], 'is_search_engine'>;

/** Minimum number of people for a meaningful ratio. */
export const MIN_RATIO_PEOPLE = 5;
/** Ratios below this value are shown with one decimal. */
const DECIMAL_LIMIT = 10;

/**
 * Sums up the operators that count in the overall ratio of pages to people: those that sent people. Leaves out search
 * engines, because they also fetch pages for their results, and the people they send from there aren't counted.
 */
export function sumForCrawlRatio(operators: readonly RatioOperator[]): RatioCounts {
  const counted = operators.filter((one) => one.referrals > 0 && !one.is_search_engine);
  return {
    pages_fetched: counted.reduce((sum, one) => sum + one.pages_fetched, 0),
    referrals: counted.reduce((sum, one) => sum + one.referrals, 0),
  };
}

/** Returns the number of pages fetched per person sent, or null if fewer than {@link MIN_RATIO_PEOPLE} were sent. */
export const getCrawlRatio = ({ pages_fetched: pages, referrals: people }: RatioCounts): number | null =>
  people < MIN_RATIO_PEOPLE || pages === 0 ? null : pages / people;

/** Formats a ratio, such as "18" or "9.5". */
export const formatCrawlRatio = (ratio: number): string =>
  ratio.toLocaleString('en-US', { maximumFractionDigits: ratio < DECIMAL_LIMIT ? 1 : 0 });
