import type { LoadReport } from '../../api/load.js';
import type { Referrals } from '../../api/statistics.js';

/** Number of fetches by page. */
export interface FetchedPages {
  counts: ReadonlyMap<string, number>;
  /** False if the least fetched pages are missing. */
  isComplete: boolean;
}

export interface PageRow {
  /** Empty for the row that sums up all pages that aren't listed. */
  path: string;
  people: number;
  assistants: Referrals['pages'][number]['assistants'];
  /** Null if unknown. */
  fetched: number | null;
}

/** @param maxRows Maximum number of rows in the report. */
export const toFetchedPages = ({ rows }: Pick<LoadReport, 'rows'>, maxRows: number): FetchedPages => ({
  counts: new Map(rows.flatMap(({ value, requests }) => (value === null ? [] : [[value, requests] as const]))),
  isComplete: rows.length < maxRows,
});

/** Merges the pages that people were sent to with the pages that agents fetched. */
export function mergePages(pages: Referrals['pages'], fetched: FetchedPages | undefined): PageRow[] {
  const counts = fetched?.counts ?? new Map<string, number>();
  const missing = fetched?.isComplete ? 0 : null;
  const visited = pages.map(({ path, visits, assistants }) => ({
    path,
    people: visits,
    assistants,
    fetched: path === '' ? null : (counts.get(path) ?? missing),
  }));
  const paths = new Set(pages.map(({ path }) => path));
  const onlyFetched = [...counts]
    .filter(([path]) => !paths.has(path))
    .map(([path, count]) => ({ path, people: 0, assistants: [], fetched: count }));
  // The table's sort is stable, so pages without people are sorted by fetches.
  return [...visited, ...onlyFetched.toSorted((one, other) => other.fetched - one.fetched)];
}
