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

/** Changes below a tenth are ordinary. */
const MIN_CHANGE_SHARE = 0.1;
/** Number of visits. */
const MIN_CHANGE = 10;

/**
 * Returns top agents whose visits changed, but too little to be news, largest change first. Leaves out agents with
 * spoofed visits, which changes don't count.
 */
export function findSmallerChanges(top: Overview['top_agents'], items: readonly NewsItem[]): NewsItem[] {
  const known = new Set(items.map((item) => ('agent_id' in item ? item.agent_id : null)));
  return top
    .filter(({ agent_id: id, visits, previous_visits: previous, verification_failed: spoofed }) => {
      const difference = Math.abs(visits - previous);
      return (
        !known.has(id) &&
        spoofed === 0 &&
        previous > 0 &&
        difference >= MIN_CHANGE_SHARE * previous &&
        difference >= MIN_CHANGE
      );
    })
    .map((agent): NewsItem => ({ kind: 'agent_change', ...agent, causes: null }))
    .toSorted((one, other) => getChange(other) - getChange(one));
}

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
