import { CRAWL_PURPOSES } from '#libs/agents/vocabulary';
import type { Referrals } from '#libs/contracts';
import { formatPercent } from '#libs/contracts/change';
import { count, joinLimited, plural } from '../terminal-text.js';
import { buildRows, type Report } from './report.js';

type Operator = Referrals['operators'][number];

/** Returns the number of pages fetched per referred person, or null without referrals. */
const getCrawlRatio = ({ pages_fetched: pages, referrals: people }: Operator): number | null =>
  people === 0 ? null : Math.round((100 * pages) / people) / 100;

function formatRatio(operator: Operator): string {
  const { pages_fetched: pages, referrals: people } = operator;
  const ratio = getCrawlRatio(operator);
  if (ratio === null || pages === 0) return `${count(pages)}:${count(people)}`;
  return ratio >= 1 ? `${count(Math.round(10 * ratio) / 10)}:1` : `1:${count(Math.round((10 * people) / pages) / 10)}`;
}

export const referralsReport: Report<'/api/projects/{id}/referrals'> = {
  name: 'referrals',
  description: 'visits referred by AI assistants, and pages fetched by their operators',
  path: '/api/projects/{id}/referrals',
  help: `
PAGES counts GET requests for HTML or Markdown by an operator's agents with a
response status below 400, without visits that failed verification. The next columns split them by
purpose.
PEOPLE counts visits whose URL or Referer names one of the operator's assistants.
This is a minimum, because apps and copied links don't identify the assistant.
CRAWL TO REFERRAL is the number of pages per referred person, so the true ratio is
at most this value. --json also contains assistants, landing pages, and counts over
time.`,
  read: ({ referrals, unknown_visits: unknown, assistants, operators }: Referrals) => ({
    ...buildRows<Operator>(operators, [
      { heading: 'Operator', value: (operator) => operator.operator_name },
      { heading: 'Pages', value: (operator) => operator.pages_fetched },
      { heading: CRAWL_PURPOSES.training.label, value: ({ by_purpose: by }) => by.training },
      { heading: CRAWL_PURPOSES.search.label, value: ({ by_purpose: by }) => by.search },
      { heading: CRAWL_PURPOSES.user.label, value: ({ by_purpose: by }) => by.user },
      { heading: 'Other', value: ({ by_purpose: by }) => by.other },
      { heading: 'People', value: (operator) => operator.referrals },
      { heading: 'Crawl to referral', value: getCrawlRatio, text: formatRatio },
      { heading: 'Previous pages', value: (operator) => operator.previous_pages_fetched, isOnlyInCsv: true },
      { heading: 'Previous people', value: (operator) => operator.previous_referrals, isOnlyInCsv: true },
    ]),
    summary: [
      `At least ${plural(referrals, 'visit')} referred by assistants`,
      `${unknown === 0 ? '' : `, ${formatPercent(referrals / unknown)} of visits by unknown visitors`}`,
      `${assistants.length === 0 ? '' : `: ${joinLimited(assistants, (one) => `${one.assistant || 'others'} ${count(one.visits)}`, ', ')}`}.`,
    ].join(''),
    empty: 'No visits referred by assistants, and no pages fetched by their operators, in this range.',
  }),
};
