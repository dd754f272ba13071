import type { NewsItem } from '#libs/contracts';
import { formatNumberOf } from './report-format.js';
import type { ReportData } from './report-data.js';

/** Minimum share of a rise that its cause explains. */
const MIN_SHARE = 0.5;
/** Maximum number of agents named. */
const MAX_NAMES = 3;

type Impersonation = Extract<NewsItem, { kind: 'impersonation' }>;

/** Network that made most of the additional visits by posing as agents. */
export interface RiseCause extends Pick<Impersonation, 'network' | 'visits' | 'spoofed' | 'previous_visits'> {
  agents: readonly Pick<Impersonation['agents'][number], 'agent_id' | 'agent_token'>[];
}

/** Returns the network that explains at least half of the rise in agent visits, or null if there is none. */
export function findRiseCause({
  overview: { current, previous },
  isCompared,
  news,
}: Pick<ReportData, 'overview' | 'isCompared' | 'news'>): RiseCause | null {
  const rise = current.agent_visits - previous.agent_visits;
  if (!isCompared || rise <= 0) return null;
  const causes = (news?.items ?? []).flatMap((item): RiseCause[] => {
    if (item.kind === 'impersonation') return [item];
    if (item.kind !== 'spoofing' || item.networks > 1) return [];
    return [{ ...item, spoofed: item.visits, previous_visits: 0, agents: [item] }];
  });
  return causes.find((cause) => (cause.visits - cause.previous_visits) / rise >= MIN_SHARE) ?? null;
}

export const describeCause = ({ network, visits, agents }: RiseCause): string =>
  `${network} made ${formatNumberOf(visits, 'visit')} posing as ${listAgents(agents)}`;

/**
 * Lists the first names and the number of the others, such as "Googlebot, GPTBot, and 2 others". Leaves out agents that
 * are no longer in the catalog.
 */
export function listAgents(agents: RiseCause['agents']): string {
  const names = agents.flatMap(({ agent_token: token }) => token ?? []);
  if (names.length === 0) return 'agents';
  const listed = names.length <= MAX_NAMES ? names : [...names.slice(0, 2), `${names.length - 2} others`];
  return new Intl.ListFormat('en').format(listed);
}
