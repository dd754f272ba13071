import type { AgentFeed, FeedAgent, ProposalVisits } from '#libs/contracts';
import { count, localTime, plural, shortened, table, visible } from '../terminal-text.js';

const SOURCE_WIDTH = 60;

/** Returns a table of feeds, followed by the reasons for failed reads. */
export function feedTable(feeds: readonly AgentFeed[]): string {
  const rows = feeds.map((feed) => [
    visible(feed.name),
    feed.accepts_all ? `${feed.state}, accepts all` : feed.state,
    count(feed.counts.proposed),
    count(feed.counts.accepted),
    count(feed.counts.gone),
    count(feed.counts.refused),
    feed.fetched_at === null ? 'never' : localTime(feed.fetched_at),
    `${shortened(visible(feed.url ?? 'a file'), SOURCE_WIDTH)}${feed.public_key === null ? '' : ' (signed)'}`,
  ]);
  const faults = feeds.flatMap(({ name, fault }) => (fault === null ? [] : [`${visible(name)}: ${visible(fault)}`]));
  const headings = ['NAME', 'STATE', 'PROPOSED', 'ACCEPTED', 'GONE', 'REFUSED', 'READ', 'SOURCE'];
  return [table(headings, rows), ...(faults.length > 0 ? ['', ...faults] : [])].join('\n');
}

/**
 * Returns a table of agents in feeds: proposals with the number of visits they would match, or others with a reason.
 *
 * @param visits Null if the agents aren't proposals.
 */
export function proposalTable(agents: readonly FeedAgent[], visits: ProposalVisits | null): string {
  const visitsOf = new Map(visits?.proposals.map((one) => [`${one.feed_id} ${one.agent_id}`, one.visits]));
  const headings = ['TOKEN', 'TYPE', 'FEED', visits === null ? 'REASON' : 'VISITS', 'PATTERNS'];
  return table(
    headings,
    agents.map((agent) => [
      `${shortened(visible(agent.token), 32)}${agent.is_change ? ' (changed)' : ''}`,
      visible(agent.record?.type ?? '-'),
      shortened(visible(agent.feed_name), 24),
      visits === null ? visible(agent.reason ?? '-') : count(visitsOf.get(`${agent.feed_id} ${agent.agent_id}`) ?? 0),
      shortened(visible(agent.record?.user_agent_patterns.join(' ') ?? '-'), SOURCE_WIDTH),
    ]),
  );
}

export const countedFrom = ({ read, is_estimate: isEstimate }: ProposalVisits): string =>
  `Visits of unknown visitors in the last 7 days that each would match, by ${plural(read, 'stored visit')}${isEstimate ? ', a sample' : ''}.`;
