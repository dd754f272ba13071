import type { NewsItem, Overview } from '../../api/statistics.js';
import { formatCount } from '../../format/count.js';

/** Visitor that explains most of a rise or fall in visits. */
export interface MainCause {
  /** Network in CIDR notation, or name of an agent. */
  subject: string;
  /** Continues a sentence after the subject, such as ", which made 550 of them". */
  effect: string;
  /** News about the network, or the agent. */
  source: NewsItem | AgentVisits;
}

export interface AgentVisits {
  agent_id: string;
  agent_token: string | null;
  visits: number;
  previous_visits: number;
}

/** Minimum share of the change that a cause explains. */
const MIN_SHARE = 0.5;
const MAX_LEADERS = 2;

/** Returns agents' visits in both ranges. The news adds agents that aren't among the top agents, such as former ones. */
export function getAgentVisits(items: readonly NewsItem[], top: Overview['top_agents'] = []): AgentVisits[] {
  const others = items.flatMap((item): AgentVisits[] => {
    if (item.kind === 'agent_change') return [item];
    return item.kind === 'new_agent' ? [{ ...item, previous_visits: 0 }] : [];
  });
  return [...top, ...others.filter(({ agent_id: id }) => top.every((agent) => agent.agent_id !== id))];
}

/** Returns the network or agent that explains at least half of a change, or null if there is none. */
export function findMainCause(
  change: number,
  items: readonly NewsItem[],
  agents: readonly AgentVisits[],
): MainCause | null {
  const explains = (difference: number): boolean => change !== 0 && difference / change >= MIN_SHARE;
  for (const item of items) {
    if (item.kind === 'impersonation' && explains(item.visits - item.previous_visits)) {
      return { subject: item.network, effect: describeVisits(item), source: item };
    }
    if (item.kind === 'spoofing' && item.networks === 1 && explains(item.visits)) {
      return { subject: item.network, effect: describeVisits({ ...item, previous_visits: 0 }), source: item };
    }
  }
  const agent = agents.find(({ visits, previous_visits: previous }) => explains(visits - previous));
  return agent?.agent_token == null
    ? null
    : { subject: agent.agent_token, effect: describeVisits(agent), source: agent };
}

function describeVisits({
  visits,
  previous_visits: previous,
}: Pick<AgentVisits, 'visits' | 'previous_visits'>): string {
  if (previous === 0) return `, which made ${formatCount(visits)} of them`;
  return ` (${visits > previous ? 'up' : 'down'} from ${formatCount(previous)} to ${formatCount(visits)})`;
}

/** Returns the agents that changed most in the direction of the change, such as "PerplexityBot (+105)". */
export const listLeaders = (change: number, agents: readonly AgentVisits[]): string[] =>
  agents
    .map(({ agent_token: name, visits, previous_visits: previous }) => ({ name, difference: visits - previous }))
    .filter(({ name, difference }) => name !== null && Math.sign(difference) === Math.sign(change))
    .toSorted((one, other) => Math.abs(other.difference) - Math.abs(one.difference))
    .slice(0, MAX_LEADERS)
    .map(({ name, difference }) => `${name} (${difference > 0 ? '+' : '−'}${formatCount(Math.abs(difference))})`);
