import type { AgentMatcher } from '#libs/agents';
import type { UserAgentCounts } from '#libs/access-log';

interface LabeledCount {
  label: string;
  count: number;
}

/**
 * Returns the agents with the most visits, followed by totals for other agents and unknown visitors. Agents are matched
 * by User-Agent and aren't verified.
 */
export function topAgents(
  counts: UserAgentCounts,
  matcher: Pick<AgentMatcher, 'match'>,
  limit: number,
): LabeledCount[] {
  const byAgent = new Map<string, number>();
  for (const { userAgent, count } of counts.top(Infinity)) {
    const agent = userAgent === undefined ? undefined : matcher.match(userAgent)?.agent;
    if (agent === undefined) continue;
    const label = `${agent.token} (${agent.type})`;
    byAgent.set(label, (byAgent.get(label) ?? 0) + count);
  }
  const knownAgents = [...byAgent].map(([label, count]) => ({ label, count })).sort((a, b) => b.count - a.count);
  const unknownCount = counts.total - knownAgents.reduce((sum, { count }) => sum + count, 0);
  return [
    ...knownAgents.slice(0, limit),
    ...sumRest(knownAgents.slice(limit)),
    ...(unknownCount > 0 ? [{ label: 'no known agent', count: unknownCount }] : []),
  ];
}

function sumRest(rest: LabeledCount[]): LabeledCount[] {
  if (rest.length === 0) return [];
  return [{ label: `${rest.length} other agents`, count: rest.reduce((sum, { count }) => sum + count, 0) }];
}
