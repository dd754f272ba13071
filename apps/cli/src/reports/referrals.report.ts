import type { Referrals } from '#libs/contracts';
import { count, listed, plural } from '../terminal-text.js';
import { reportRows, type Report } from './report.js';

type Operator = Referrals['operators'][number];

/** Pages fetched per referred person. Null without referrals. */
const ratioOf = ({ pages_fetched: pages, referrals: people }: Operator): number | null =>
  people === 0 ? null : Math.round((100 * pages) / people) / 100;

function ratioText(operator: Operator): string {
  const { pages_fetched: pages, referrals: people } = operator;
  const ratio = ratioOf(operator);
  if (ratio === null || pages === 0) return `${count(pages)}:${count(people)}`;
  return ratio >= 1 ? `${count(Math.round(10 * ratio) / 10)}:1` : `1:${count(Math.round((10 * people) / pages) / 10)}`;
}

export const referralsReport: Report<'/api/projects/{id}/referrals'> = {
  name: 'referrals',
  description: 'whom AI assistants sent, and what their operators fetched',
  path: '/api/projects/{id}/referrals',
  help: `
PAGES are GET requests for HTML by an operator's agents, answered below 400,
without spoofed visits; then for what: training, search, for users, other.
PEOPLE are visits whose address or Referer names one of its assistants: at least
so many, as apps and copied links don't say it. CRAWL TO REFERRAL is pages for
each person, so the true ratio is at most that. --json has assistants, pages
that people landed on, and the numbers over time.`,
  read: ({ referrals, unknown_visits: unknown, assistants, operators }: Referrals) => ({
    ...reportRows<Operator>(operators, [
      { heading: 'Operator', value: (operator) => operator.operator_name },
      { heading: 'Pages', value: (operator) => operator.pages_fetched },
      { heading: 'Training', value: ({ by_purpose: by }) => by.training },
      { heading: 'Search', value: ({ by_purpose: by }) => by.search },
      { heading: 'For users', value: ({ by_purpose: by }) => by.user },
      { heading: 'Other', value: ({ by_purpose: by }) => by.other },
      { heading: 'People', value: (operator) => operator.referrals },
      { heading: 'Crawl to referral', value: ratioOf, text: ratioText },
      { heading: 'Previous pages', value: (operator) => operator.previous_pages_fetched, isOnlyInCsv: true },
      { heading: 'Previous people', value: (operator) => operator.previous_referrals, isOnlyInCsv: true },
    ]),
    summary: [
      `At least ${plural(referrals, 'visit')} of people whom assistants sent`,
      `${unknown === 0 ? '' : `, ${((100 * referrals) / unknown).toFixed(1)} % of those of unknown visitors`}`,
      `${assistants.length === 0 ? '' : `: ${listed(assistants, (one) => `${one.assistant || 'others'} ${count(one.visits)}`, ', ')}`}.`,
    ].join(''),
    empty: 'No assistant sent anybody in this range, and no operator of one fetched a page.',
  }),
};
