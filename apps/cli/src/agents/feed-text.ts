import type { AgentFeed, FeedAgent, ProposalVisits } from '#libs/contracts';
import { count, localTime, plural, truncate, renderTable, escapeInvisible } from '../terminal-text.js';

const SOURCE_WIDTH = 60;

/** Renders a table of feeds, followed by the errors of feeds that couldn't be loaded. */
export function renderFeedTable(feeds: readonly AgentFeed[]): string {
  const rows = feeds.map((feed) => [
    escapeInvisible(feed.name),
    feed.accepts_all ? `${feed.state}, accepts all` : feed.state,
    count(feed.counts.proposed),
    count(feed.counts.accepted),
    count(feed.counts.gone),
    count(feed.counts.refused),
    feed.fetched_at === null ? 'never' : localTime(feed.fetched_at),
    `${truncate(escapeInvisible(feed.url ?? 'a file'), SOURCE_WIDTH)}${feed.public_key === null ? '' : ' (signed)'}`,
  ]);
  const faults = feeds.flatMap(({ name, fault }) =>
    fault === null ? [] : [`${escapeInvisible(name)}: ${escapeInvisible(fault)}`],
  );
  const headings = ['NAME', 'STATE', 'PROPOSED', 'ACCEPTED', 'REMOVED', 'REJECTED', 'FETCHED', 'SOURCE'];
  return [renderTable(headings, rows), ...(faults.length > 0 ? ['', ...faults] : [])].join('\n');
}

/**
 * Renders a table of agents in feeds.
 *
 * @param visits Number of visits that each proposal would match, or null to show the reasons for other states.
 */
export function renderProposalTable(agents: readonly FeedAgent[], visits: ProposalVisits | null): string {
  const visitCounts = new Map(visits?.proposals.map((one) => [`${one.feed_id} ${one.agent_id}`, one.visits]));
  const headings = ['TOKEN', 'TYPE', 'FEED', visits === null ? 'REASON' : 'VISITS', 'PATTERNS'];
  return renderTable(
    headings,
    agents.map((agent) => [
      `${truncate(escapeInvisible(agent.token), 32)}${agent.is_change ? ' (changed)' : ''}`,
      escapeInvisible(agent.record?.type ?? '-'),
      truncate(escapeInvisible(agent.feed_name), 24),
      visits === null
        ? escapeInvisible(agent.reason ?? '-')
        : count(visitCounts.get(`${agent.feed_id} ${agent.agent_id}`) ?? 0),
      truncate(escapeInvisible(agent.record?.user_agent_patterns.join(' ') ?? '-'), SOURCE_WIDTH),
    ]),
  );
}

export const describeVisitCounts = ({ read, is_estimate: isEstimate }: ProposalVisits): string =>
  `Visits by unknown visitors in the last 7 days that each agent would match, based on ${plural(read, 'stored visit')}${isEstimate ? ', a sample' : ''}.`;
