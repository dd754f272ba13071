import type { NewsItem } from '../../api/statistics.js';

/** Kinds that are about Agent Traffic itself instead of the site's visitors. */
const SYSTEM_KINDS: ReadonlySet<string> = new Set(['silence', 'address_lists'] satisfies NewsItem['kind'][]);

export const isSystemFault = ({ kind }: NewsItem): boolean => SYSTEM_KINDS.has(kind);

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
