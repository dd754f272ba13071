import { CRAWL_PURPOSES } from '#libs/agents/vocabulary';
import type { Coverage } from '#libs/contracts';
import { count, localTime, plural } from '../terminal-text.js';
import { buildRows, type Report } from './report.js';

type Agent = Coverage['agents'][number];

const getPurpose = ({ purpose }: Agent): string => (purpose === 'other' ? 'Other' : CRAWL_PURPOSES[purpose].label);

const PURPOSE_TEXTS: Record<Agent['purpose'], string> = {
  training: 'for training',
  search: 'for search',
  user: 'because a person asked',
  other: 'for other purposes',
};

export const coverageReport: Report<'/api/projects/{id}/coverage'> = {
  name: 'coverage',
  description: "pages in the site's sitemaps that each agent has fetched",
  path: '/api/projects/{id}/coverage',
  coversAllVisits: true,
  help: `
Counts all visits that are stored, except those that failed verification. UNLISTED
counts fetched pages that no sitemap lists.`,
  read: ({ agents, purposes, pages, days_without_data: gaps, pages_without_data: recent }: Coverage) => ({
    ...buildRows<Agent>(agents, [
      { heading: 'Agent', value: (agent) => (agent.agent_id === null ? 'other agents' : agent.agent_token) },
      { heading: 'Purpose', value: getPurpose },
      { heading: 'Fetched', value: ({ fetched }) => fetched },
      { heading: 'Never', value: ({ fetched }) => pages - fetched },
      { heading: 'Unlisted', value: ({ unlisted }) => unlisted },
      { heading: 'Fetches', value: ({ fetches }) => fetches },
      { heading: 'Redirects', value: ({ redirects }) => redirects, isOnlyInCsv: true },
      { heading: 'Client errors', value: (agent) => agent.client_errors, isOnlyInCsv: true },
      { heading: 'Server errors', value: (agent) => agent.server_errors, isOnlyInCsv: true },
      { heading: 'With query', value: (agent) => agent.with_query, isOnlyInCsv: true },
      { heading: 'Repeats', value: (agent) => agent.repeats, isOnlyInCsv: true },
      {
        heading: 'Last fetch',
        value: (agent) => agent.last_fetch_at,
        text: (agent) => (agent.last_fetch_at === null ? '-' : localTime(agent.last_fetch_at)),
      },
    ]),
    summary: [
      `${plural(pages, 'page')} in sitemaps.`,
      ...purposes.map(
        ({ purpose, fetched, fetched_last_7_days: recentlyFetched }) =>
          `${plural(fetched, 'page')} fetched ${PURPOSE_TEXTS[purpose]} (${count(recentlyFetched)} in the last 7 days).`,
      ),
      ...(recent > 0 ? [`No visits since ${plural(recent, 'page')} were added.`] : []),
      ...(gaps.length > 0 ? [`No visits at all on ${count(gaps.length)} of the last 30 days.`] : []),
    ].join(' '),
    empty:
      pages === 0
        ? 'No sitemap lists any pages. See `agent-traffic sitemaps list` for problems.'
        : `None of the ${plural(pages, 'page')} in sitemaps has been fetched by an agent.`,
  }),
};
