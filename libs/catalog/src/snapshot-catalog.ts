import type { KeySet } from '#libs/agents';
import type { SnapshotCatalog } from '#libs/engine';
import type { Catalog } from './catalog.js';

const DAY_MS = 86_400_000;

/**
 * Returns the part of a catalog that sites need to identify agents in their own process.
 *
 * @param directories Cached key directories, by URL.
 * @param now Current time in milliseconds since the epoch.
 */
export function createSnapshotCatalog(
  { version, agents, proxies, lists, dataCenterRanges }: Catalog,
  directories: ReadonlyMap<string, KeySet>,
  allowTestKeys: boolean,
  now: number,
): SnapshotCatalog {
  return {
    version,
    agents: agents.map(({ sources: _sources, sample_user_agents: _samples, ...agent }) => agent),
    proxies: proxies.map(
      ({ sources: _sources, list_urls: _urls, format: _format, ranges_as_of: _date, ...proxy }) => proxy,
    ),
    lists: lists.map((list) => ({ ...list, fetchedAt: roundFetchTime(list.fetchedAt, now) })),
    dataCenterRanges,
    directories: [...directories].map(([url, keys]) => ({
      url,
      keys: [...keys.values()].map(({ verify: _verify, ...key }) => key),
    })),
    allowTestKeys,
  };
}

/**
 * Rounds the time of a fetch down: to the start of yesterday, or of its day if it is older. Fetching unchanged lists
 * therefore changes the snapshot only once a day. Verdicts only depend on whether a list is older than 7 days.
 */
function roundFetchTime(fetchedAt: number, now: number): number {
  const yesterday = (Math.floor(now / DAY_MS) - 1) * DAY_MS;
  return Math.min(Math.floor(fetchedAt / DAY_MS) * DAY_MS, yesterday);
}
