import { timelineCursor, type TimelineCursor, type TimelineFilters, type TimelineOrder } from '#libs/contracts';
import { addNetwork, type ClientNetworks } from './client-networks.js';

export interface TimelineQuery extends TimelineFilters {
  /** Sort order. Default: `newest`. */
  order?: TimelineOrder;
  limit: number;
  cursor: TimelineCursor | null;
}

/** A page of visits. Documents are JSON text that includes the client's network. */
export interface TimelinePage {
  documents: string[];
  nextCursor: string | null;
  previousCursor: string | null;
}

/** Visits to read for a page. */
export interface PageRead {
  /** `<` reads visits from newest to oldest, and `>` from oldest to newest. */
  side: '<' | '>';
  cursor: TimelineCursor | null;
  /** Maximum number of visits to find. */
  rowLimit: number;
  /** Once the documents reach this size, no more visits are returned. At least one always is. */
  maxBytes: number;
}

export interface SizedRow {
  document: string;
  /** Number of rows that were found. If the size limit was reached, only some of them are returned. */
  found: number;
}

export interface TimelineRow extends SizedRow {
  id: string;
  /** Time of the visit, in milliseconds since the epoch. */
  occurred_ms: number;
}

/** SQL comparison operators that select the next and previous pages, by sort order. */
const SIDES = {
  newest: { next: '<', previous: '>' },
  oldest: { next: '>', previous: '<' },
} as const satisfies Record<TimelineOrder, object>;

/**
 * If the documents on a page exceed this size, the page ends with the visit that exceeds it. A single visit can have up
 * to 512 KiB.
 */
const MAX_PAGE_BYTES = 4 * 2 ** 20;
/**
 * Number of visits that a page's first query reads, when their size is still unknown. For the default page size of 50,
 * one query is enough, including the extra visit that shows whether more follow.
 */
const INITIAL_ROW_LIMIT = 51;

type ReadRows = (read: PageRead) => Promise<TimelineRow[]>;

/**
 * Reads a page of visits, sorted by (occurred_at, id).
 *
 * @param readRows Returns matching visits, sorted in the direction of `side`.
 */
export async function readPage(
  query: TimelineQuery,
  networks: ClientNetworks,
  readRows: ReadRows,
): Promise<TimelinePage> {
  const { next, previous } = SIDES[query.order ?? 'newest'];
  const isBackward = query.cursor !== null && !query.cursor.side.startsWith(next);
  const { visits, hasMore } = await readVisits(query, isBackward ? previous : next, readRows);
  if (isBackward) visits.reverse();
  const documents = visits.map(({ document }) => addNetwork(document, networks));
  const [first, last] = [visits[0] && toCursor(visits[0]), visits.at(-1) && toCursor(visits.at(-1)!)];
  // If the page is empty, use the given cursor for both directions, so paging can continue.
  const { cursor } = query;
  const after = last === undefined ? cursor && { ...cursor, side: `${next}=` as const } : { ...last, side: next };
  const before = first === undefined ? cursor && { ...cursor, side: previous } : { ...first, side: previous };
  return {
    documents,
    nextCursor: after !== null && (isBackward || hasMore) ? timelineCursor.write(after) : null,
    // Set even if there are currently no visits before this page, because new ones can arrive at any time.
    previousCursor: before && timelineCursor.write(before),
  };
}

/** The size of the visits read so far determines how many the next query reads. */
async function readVisits(
  query: TimelineQuery,
  side: '<' | '>',
  readRows: ReadRows,
): Promise<{ visits: TimelineRow[]; hasMore: boolean }> {
  const visits: TimelineRow[] = [];
  let bytes = 0;
  for (let { cursor } = query, step = INITIAL_ROW_LIMIT; ;) {
    // Read one extra row to find out whether more follow.
    const rowLimit = Math.min(step, query.limit + 1 - visits.length);
    const rows = await readRows({ side, cursor, rowLimit, maxBytes: MAX_PAGE_BYTES - bytes });
    const last = rows.at(-1);
    visits.push(...rows);
    bytes += rows.reduce((sum, { document }) => sum + document.length, 0);
    if (visits.length > query.limit) return { visits: visits.slice(0, query.limit), hasMore: true };
    if (last === undefined || last.found < rowLimit) return { visits, hasMore: rows.length < (last?.found ?? 0) };
    if (rows.length < last.found || bytes >= MAX_PAGE_BYTES) return { visits, hasMore: true };
    cursor = { side, ...toCursor(last) };
    step = Math.ceil((visits.length / bytes) * (MAX_PAGE_BYTES - bytes));
  }
}

const toCursor = (row: TimelineRow): { occurredAt: number; id: string } => ({
  occurredAt: row.occurred_ms,
  id: row.id,
});
