import type { CoverageAgent, CoverageFolder } from '../../api/coverage.js';
import { getFetchDays } from './fetch-age.js';

/** Agents with their own column, most fetches first. */
const MAX_COLUMNS = 8;
/** On sites with at least this many pages, a column for a single page would be wasted. */
const MIN_PAGES = 20;

interface ColumnAgents {
  columnAgents: CoverageAgent[];
  /** Agents that are busy enough for a column, but fetched next to nothing from the sitemaps. */
  others: CoverageAgent[];
  /** True if less busy agents are left out. */
  hasMore: boolean;
}

/** @param pages Number of pages in the sitemaps. */
export function selectColumnAgents(agents: readonly CoverageAgent[], pages: number): ColumnAgents {
  const named = agents.filter((agent) => agent.agent_id !== null);
  const isFilled = ({ fetched }: CoverageAgent): boolean => fetched > (pages >= MIN_PAGES ? 1 : 0);
  const columnAgents = named.filter(isFilled).slice(0, MAX_COLUMNS);
  const count = columnAgents.length < MAX_COLUMNS ? named.length : named.indexOf(columnAgents.at(-1)!) + 1;
  const busiest = named.slice(0, count);
  return { columnAgents, others: busiest.filter((agent) => !isFilled(agent)), hasMore: count < named.length };
}

/** Sorts folders by the days since any of the agents fetched them, then by the number of agents that never did. */
export function sortStaleFirst(
  folders: readonly CoverageFolder[],
  agents: readonly CoverageAgent[],
  now: number,
): CoverageFolder[] {
  const ids = new Set(agents.map((agent) => agent.agent_id));
  const describe = (folder: CoverageFolder) => {
    const fetches = folder.agents.filter(({ agent_id: id }) => ids.has(id));
    const days = Math.min(...fetches.map((fetch) => getFetchDays(fetch.last_fetch_at, now)));
    return { folder, isRest: folder.folder === null, days, fetches: fetches.length };
  };
  return folders
    .map(describe)
    .toSorted(
      (one, other) =>
        Number(one.isRest) - Number(other.isRest) ||
        (one.days === other.days ? 0 : other.days - one.days) ||
        one.fetches - other.fetches,
    )
    .map(({ folder }) => folder);
}
