import type { NewsItem, Overview } from '../../api/statistics.js';

/** Kinds of problems that a longer range can hide. */
const RECENT_KINDS: ReadonlySet<string> = new Set([
  'outage',
  'errors',
  'spoofing',
  'impersonation',
] satisfies NewsItem['kind'][]);

/** Replaces a range's news by the news of its last day where both are about the same problem, and adds the others. */
export function addRecentProblems(
  items: readonly NewsItem[],
  recent: readonly NewsItem[],
): { items: NewsItem[]; recent: ReadonlySet<NewsItem> } {
  const problems = recent.filter(({ kind }) => RECENT_KINDS.has(kind));
  const isNews = (problem: NewsItem): boolean => !items.some((item) => isSameProblem(item, problem));
  const added = new Set(
    problems.filter((problem) => problem.kind === 'impersonation' || isRecentOutage(problem, items) || isNews(problem)),
  );
  const replaced = new Set([...added].map(getSubject));
  return { items: [...added, ...items.filter((item) => !replaced.has(getSubject(item)))], recent: added };
}

/** Returns true if a problem is about errors at a certain time, which are at least half of the range's errors. */
function isRecentOutage(problem: NewsItem, items: readonly NewsItem[]): boolean {
  if (problem.kind !== 'errors' || problem.period === null) return false;
  const earlier = items.find((item) => item.kind === 'errors' && item.status === problem.status);
  return problem.outage !== null || !(earlier && 'visits' in earlier && earlier.visits > 2 * problem.visits);
}

/** Returns true if a recent problem is the same as one of the range, or a part of it. */
const isSameProblem = (item: NewsItem, recent: NewsItem): boolean =>
  getSubject(item) === getSubject(recent) ||
  (item.kind === 'spoofing' && recent.kind === 'spoofing' && item.agent_id === recent.agent_id);

/** Rise of several agents because one network claimed to be them. */
export interface CommonRise {
  item: Extract<NewsItem, { kind: 'impersonation' }>;
  /** Largest rise first. */
  agents: TopAgent[];
}

/** Change in an agent's visits. `verification_failed` is set if the visits include those that failed verification. */
export type AgentChange = Extract<NewsItem, { kind: 'agent_change' }> & { verification_failed?: number };

type ChangeRow = CommonRise | AgentChange | Exclude<NewsItem, { kind: 'agent_change' }>;

type TopAgent = Overview['top_agents'][number];

/** Smaller changes aren't listed, unless even smaller ones are. */
const MIN_CHANGE_SHARE = 0.1;
/** Number of visits. */
const MIN_CHANGE = 10;
/** Minimum share of the rise that a network explains. */
const MIN_COMMON_SHARE = 0.5;

/**
 * Returns all changes, largest first: agents that rose for the same reason as one, the news, and other changes of the
 * top agents. Changes of agents with failed verifications include these, as in the list of top agents.
 */
export function listChanges(
  changes: readonly NewsItem[],
  problems: readonly NewsItem[],
  top: readonly TopAgent[],
): ChangeRow[] {
  const rises = findCommonRises(problems, top);
  const grouped = new Set(rises.flatMap(({ agents }) => agents.map(({ agent_id: id }) => id)));
  const news = new Set(changes.map((item) => ('agent_id' in item ? item.agent_id : '')));
  const others = top
    .filter(({ agent_id: id, previous_visits: previous, verification_failed: spoofed, ...agent }) => {
      return (
        !grouped.has(id) &&
        previous > 0 &&
        Math.abs(agent.visits - previous) >= MIN_CHANGE &&
        (spoofed > 0 || !news.has(id))
      );
    })
    .map((agent): AgentChange => ({ kind: 'agent_change', ...agent, causes: null }));
  const replaced = new Set([...grouped, ...others.map(({ agent_id: id }) => id)]);
  const kept = changes.filter((item) => !('agent_id' in item && replaced.has(item.agent_id)));
  const sorted = [...rises, ...kept, ...others].toSorted((one, other) => getSize(other) - getSize(one));
  const isSmall = (row: ChangeRow): boolean =>
    'kind' in row &&
    row.kind === 'agent_change' &&
    others.includes(row) &&
    getSize(row) < MIN_CHANGE_SHARE * row.previous_visits;
  return sorted.slice(0, sorted.findLastIndex((row) => !isSmall(row)) + 1);
}

function findCommonRises(problems: readonly NewsItem[], top: readonly TopAgent[]): CommonRise[] {
  return problems
    .filter((item) => item.kind === 'impersonation')
    .map((item) => ({
      item,
      agents: top
        .filter((agent) => getRise(agent) > 0 && item.agents.some(({ agent_id: id }) => id === agent.agent_id))
        .toSorted((one, other) => getRise(other) - getRise(one)),
    }))
    .filter(({ item, agents }) => {
      const explained = item.visits - item.previous_visits;
      return agents.length > 1 && explained >= MIN_COMMON_SHARE * sumRises(agents);
    });
}

const getRise = ({ visits, previous_visits: previous }: TopAgent): number => visits - previous;
const sumRises = (agents: readonly TopAgent[]): number => agents.reduce((sum, agent) => sum + getRise(agent), 0);
const getSize = (row: ChangeRow): number => ('kind' in row ? getChange(row) : sumRises(row.agents));

/** Returns what a problem is about: its network, status or kind. */
function getSubject(item: NewsItem): string {
  if (item.kind === 'impersonation' || (item.kind === 'spoofing' && item.networks === 1)) return item.network;
  return `${item.kind} ${'status' in item ? item.status : 'agent_id' in item ? item.agent_id : ''}`;
}

/** Returns items by severity: harm to the site, harm to agents, then changes in visits, largest first. */
const sortBySeverity = (items: readonly NewsItem[]): NewsItem[] =>
  items.toSorted((one, other) => getLevel(one) - getLevel(other) || getChange(other) - getChange(one));

/** Level of items that are changes instead of problems. */
const CHANGE_LEVEL = 2;

/** Splits items into problems and mere changes, both sorted by severity. */
export function splitBySeverity(items: readonly NewsItem[]): [problems: NewsItem[], changes: NewsItem[]] {
  const sorted = sortBySeverity(items);
  const problems = sorted.filter((item) => getLevel(item) < CHANGE_LEVEL);
  return [problems, sorted.slice(problems.length)];
}

function getLevel(item: NewsItem): number {
  switch (item.kind) {
    case 'silence':
    case 'outage':
    case 'spoofing':
    case 'impersonation':
      return 0;
    case 'errors':
      return item.status === '5xx' ? 0 : 1;
    case 'robots_refused':
    case 'address_lists':
      return 1;
    default:
      return CHANGE_LEVEL;
  }
}

function getChange(item: NewsItem): number {
  if (!('visits' in item)) return 0;
  return Math.abs(item.visits - ('previous_visits' in item ? (item.previous_visits ?? 0) : 0));
}
