import type { System } from '../../api/system-queries.js';

type AddressList = System['catalog']['lists'][number];

/** Address lists of an operator, or of a host if they verify no agents. */
export interface ListGroup {
  name: string;
  lists: readonly AddressList[];
  failing: readonly AddressList[];
  /** Number of IP address ranges in use. Null if there are none. */
  ranges: number | null;
  /** Date of the ranges from the release if they're in use, such as "2026-09-02". */
  bundledAsOf: string | null;
  /** Time of the oldest last successful fetch. Null if one of the lists was never fetched. */
  fetchedAt: string | null;
}

/**
 * Groups address lists by operator. Groups with failing lists come first.
 *
 * @param bundled Ranges from the release, which are in use until all of an operator's lists have been fetched.
 */
export function groupLists(lists: readonly AddressList[], bundled: System['catalog']['bundled_ranges']): ListGroup[] {
  const byDomain = new Map(lists.map(({ url, operators }) => [toDomain(url), operators] as const).filter(isNamed));
  const groups = Map.groupBy(lists, ({ url, operators }) => {
    const names = operators.length > 0 ? operators : byDomain.get(toDomain(url));
    return names?.join(', ') ?? new URL(url).hostname.replace(/^(?:www|api)\./, '');
  });
  return [...groups]
    .map(([name, members]): ListGroup => {
      const times = members.map(({ fetched_at: at }) => at);
      const fetchedAt = times.includes(null) ? null : (times as string[]).toSorted()[0]!;
      const fetched = members.flatMap(({ ranges }) => ranges ?? []);
      const operators = new Set(members.flatMap((list) => list.operators));
      const used = fetchedAt === null ? bundled.filter(({ operator }) => operators.has(operator)) : [];
      const counts = used.length > 0 ? used.map(({ ranges }) => ranges) : fetched;
      return {
        name,
        lists: members,
        failing: members.filter(({ fault }) => fault !== null),
        ranges: counts.length === 0 ? null : counts.reduce((sum, ranges) => sum + ranges, 0),
        bundledAsOf: used.flatMap(({ as_of: asOf }) => asOf ?? []).toSorted()[0] ?? null,
        fetchedAt,
      };
    })
    .toSorted(
      (one, other) =>
        Number(other.failing.length > 0) - Number(one.failing.length > 0) || one.name.localeCompare(other.name, 'en'),
    );
}

const toDomain = (url: string): string => new URL(url).hostname.split('.').slice(-2).join('.');
const isNamed = ([, operators]: readonly [string, readonly string[]]): boolean => operators.length > 0;
