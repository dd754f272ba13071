import type { NewsItem } from '#libs/contracts';
import { formatNumberOf, getAgentName } from './report-format.js';
import type { ReportData } from './report-data.js';

/** Minimum share of a rise that its cause explains. */
const MIN_SHARE = 0.5;
/** Maximum number of agents named. */
const MAX_NAMES = 3;

type Impersonation = Extract<NewsItem, { kind: 'impersonation' | 'spoofing' }>;

/** Network that made most of the additional visits by posing as agents. */
export interface RiseCause {
  network: string;
  visits: number;
  /** Number of these visits that failed verification. */
  spoofed: number;
  agents: string[];
}

type Changes = Pick<ReportData, 'overview' | 'isCompared' | 'news'>;

/** Returns news about the network that explains at least half of the rise in agent visits, or null if there is none. */
export function findRiseNews({ overview: { current, previous }, isCompared, news }: Changes): Impersonation | null {
  const rise = current.agent_visits - previous.agent_visits;
  if (!isCompared || rise <= 0) return null;
  const causes = (news?.items ?? []).filter(
    (item): item is Impersonation => item.kind === 'impersonation' || (item.kind === 'spoofing' && item.networks === 1),
  );
  return causes.find((one) => getRise(one) / rise >= MIN_SHARE) ?? null;
}

/** Returns the cause of a rise. The news only counts agents whose visits changed a lot, so it prefers the network's overview. */
export function findRiseCause(data: Changes & Pick<ReportData, 'network'>): RiseCause | null {
  const item = findRiseNews(data);
  if (item === null) return null;
  const { network } = item;
  if (data.network !== null && data.network.sample?.is_estimated !== true) {
    const { current, top_agents: agents } = data.network;
    return {
      network,
      visits: current.agent_visits,
      spoofed: current.verification_failed,
      agents: agents.map(getAgentName),
    };
  }
  return {
    network,
    visits: item.visits,
    spoofed: item.kind === 'impersonation' ? item.spoofed : item.visits,
    agents: (item.kind === 'impersonation' ? item.agents : [item]).map(getAgentName),
  };
}

const getRise = (item: Impersonation): number =>
  item.visits - (item.kind === 'impersonation' ? item.previous_visits : 0);

export const describeCause = ({ network, visits, agents }: RiseCause): string =>
  `${network} made ${formatNumberOf(visits, 'visit')} posing as ${listNames(agents)}`;

/** Lists the first names and the number of the others, such as "Googlebot, GPTBot, and 2 others". */
export function listNames(names: readonly string[]): string {
  const listed = names.length <= MAX_NAMES ? names : [...names.slice(0, 2), `${names.length - 2} others`];
  return new Intl.ListFormat('en').format(listed);
}
