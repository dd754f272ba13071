import type { Conduct, ConductAgent, ConductDay } from '#libs/contracts';
import { count, plural } from '../terminal-text.js';
import { buildRows, type Report } from './report.js';

interface Row extends ConductDay {
  agent: ConductAgent;
}

const NOT_REPORTED = 'not reported';

const formatOf = (part: number, whole: number): string => (whole === 0 ? '-' : `${count(part)} of ${count(whole)}`);

const formatSeconds = (milliseconds: number): string => `${count(Math.round(milliseconds / 100) / 10)} s`;

function formatDelay({ crawl_delay: delay }: ConductDay): string {
  if (delay === null) return '-';
  const { requested_ms: requested, median_gap_ms: median, shorter_gaps: shorter, resolution_ms: resolution } = delay;
  const gap = median < resolution ? `under ${formatSeconds(resolution)}` : formatSeconds(median);
  return `${formatSeconds(requested)}, median ${gap}${shorter === null ? ' (whole seconds)' : ''}`;
}

function formatRetries({ retry_after: retry }: ConductDay): string {
  if (retry.responses === 0) return '-';
  if (retry.with_headers === 0 || retry.early_requests === null) return NOT_REPORTED;
  return retry.with_retry_after === 0 ? 'no Retry-After' : count(retry.early_requests);
}

function formatRefetches({ refetches: { requests, not_modified: notModified, conditional } }: ConductDay): string {
  if (requests === 0) return '-';
  return conditional === null ? `${count(notModified)} × 304 of ${count(requests)}` : formatOf(conditional, requests);
}

export const conductReport: Report<'/api/projects/{id}/conduct'> = {
  name: 'conduct',
  description: 'how agents crawl the site, by agent and day',
  path: '/api/projects/{id}/conduct',
  help: `
Contains the 20 agents with the most visits, without visits that failed
verification. Days are in UTC. The range can be up to 31 days long.
AFTER ROBOTS.TXT counts visits within 24 hours after a request for robots.txt.
CRAWL-DELAY compares the requested delay with the median interval between requests.
EARLY counts requests before the time in a Retry-After header had passed.
CONDITIONAL counts repeated requests for a page that were conditional.
PEAK is the most requests to one host in 10 seconds. Figures that are worth a look
are marked with ! after the day. --json contains their names.`,
  read: ({ agents }: Conduct) => {
    const rows = agents.flatMap((agent) => agent.days.map((day): Row => ({ ...day, agent })));
    const marked = rows.filter(({ highlights }) => highlights.length > 0);
    return {
      ...buildRows<Row>(rows, [
        {
          heading: 'Agent',
          value: ({ agent }) => agent.agent_token ?? agent.agent_id,
          text: ({ agent }) => `${agent.agent_token ?? agent.agent_id}${agent.is_user_triggered ? ' *' : ''}`,
        },
        {
          heading: 'Day',
          value: ({ date }) => date,
          text: (day) => `${day.date}${day.is_so_far ? ' (so far)' : ''}${day.highlights.length > 0 ? ' !' : ''}`,
        },
        {
          heading: 'Visits',
          value: ({ visits }) => visits,
          text: ({ visits, is_partial: isPartial }) => (isPartial ? `first ${count(visits)}` : count(visits)),
        },
        { heading: 'Partial', value: (day) => day.is_partial, isOnlyInCsv: true },
        { heading: 'Failed verification', value: (day) => day.spoofed, isOnlyInCsv: true },
        { heading: 'Judged', value: ({ robots }) => robots.judged, isOnlyInCsv: true },
        {
          heading: 'Disallowed',
          value: ({ robots }) => robots.disallowed,
          text: ({ robots }) => formatOf(robots.disallowed, robots.judged),
        },
        {
          heading: 'After robots.txt',
          value: ({ robots_fetch: fetch }) => fetch?.after_fetch ?? null,
          text: ({ robots_fetch: fetch }) => (fetch === null ? '-' : formatOf(fetch.after_fetch, fetch.visits)),
        },
        { heading: 'After robots.txt of', value: (day) => day.robots_fetch?.visits ?? null, isOnlyInCsv: true },
        {
          heading: 'Crawl-delay',
          value: ({ crawl_delay: delay }) => (delay === null ? null : delay.requested_ms / 1_000),
          text: formatDelay,
        },
        {
          heading: 'Median gap',
          value: ({ crawl_delay: delay }) => (delay === null ? null : delay.median_gap_ms / 1_000),
          isOnlyInCsv: true,
        },
        { heading: 'Gaps', value: (day) => day.crawl_delay?.gaps ?? null, isOnlyInCsv: true },
        { heading: 'Shorter gaps', value: (day) => day.crawl_delay?.shorter_gaps ?? null, isOnlyInCsv: true },
        { heading: 'Status 429 or 503', value: (day) => day.retry_after.responses, isOnlyInCsv: true },
        { heading: 'Early', value: (day) => day.retry_after.early_requests, text: formatRetries },
        { heading: 'Refetches', value: (day) => day.refetches.requests, isOnlyInCsv: true },
        { heading: 'Conditional', value: (day) => day.refetches.conditional, text: formatRefetches },
        { heading: 'Not modified', value: (day) => day.refetches.not_modified, isOnlyInCsv: true },
        { heading: 'Peak', value: ({ peak }) => peak?.requests ?? null },
        { heading: 'Highlights', value: ({ highlights }) => highlights.join(' '), isOnlyInCsv: true },
      ]),
      summary: `${plural(rows.length, 'day')} of ${plural(agents.length, 'agent')}. ${count(marked.length)} marked with !. Agents marked with * make requests on behalf of people.`,
      empty: 'No visits by agents in this range.',
    };
  },
};
