import type { System } from '../../api/system-queries.js';

type AddressList = System['catalog']['lists'][number];

/** Address lists of an operator, or of a host if they verify no agents. */
export interface ListGroup {
  name: string;
  lists: readonly AddressList[];
  failing: readonly AddressList[];
  /** Number of IP address ranges. Null if no list has been fetched yet. */
  ranges: number | null;
  /** Time of the oldest last successful fetch. Null if one of the lists was never fetched. */
  fetchedAt: string | null;
}

/** Groups address lists by operator. Groups with failing lists come first. */
export function groupLists(lists: readonly AddressList[]): ListGroup[] {
  const byDomain = new Map(lists.map(({ url, operators }) => [toDomain(url), operators] as const).filter(isNamed));
  const groups = Map.groupBy(lists, ({ url, operators }) => {
    const names = operators.length > 0 ? operators : byDomain.get(toDomain(url));
    return names?.join(', ') ?? new URL(url).hostname.replace(/^(?:www|api)\./, '');
  });
  return [...groups]
    .map(([name, members]): ListGroup => {
      const times = members.map(({ fetched_at: at }) => at);
      const fetched = members.flatMap(({ ranges }) => ranges ?? []);
      return {
        name,
        lists: members,
        failing: members.filter(({ fault }) => fault !== null),
        ranges: fetched.length === 0 ? null : fetched.reduce((sum, ranges) => sum + ranges, 0),
        fetchedAt: times.includes(null) ? null : (times as string[]).toSorted()[0]!,
      };
    })
    .toSorted(
      (one, other) =>
        Number(other.failing.length > 0) - Number(one.failing.length > 0) || one.name.localeCompare(other.name, 'en'),
    );
}

const toDomain = (url: string): string => new URL(url).hostname.split('.').slice(-2).join('.');
const isNamed = ([, operators]: readonly [string, readonly string[]]): boolean => operators.length > 0;
