import type { Visit } from '../../api/client.js';

/** Maximum number of visible rows. The same limit applies to held rows. */
export const MAX_ROWS = 1_000;

/** Rows of the live table, newest first. */
export interface Rows {
  shown: readonly Visit[];
  /** Visits received while the table was on hold. */
  held: readonly Visit[];
  /** Number of visits received while on hold, including those dropped from `held`. */
  heldCount: number;
  /** IDs of the visible rows that were added last, which the table highlights. */
  newIds: ReadonlySet<string>;
}

export const NO_ROWS: Rows = { shown: [], held: [], heldCount: 0, newIds: new Set() };

/** Merges a list response into the rows without duplicating visits from the stream. */
export function mergeList(rows: Rows, list: readonly Visit[], isHeld = false): Rows {
  const { shown, held } = rows;
  const ids = new Set([...shown, ...held].map(({ id }) => id));
  const newVisits = list.filter(({ id }) => !ids.has(id));
  if (newVisits.length === 0) return rows;
  // While the table is on hold, its visible rows must not move down. Newer visits are therefore held back, and only
  // older ones are inserted.
  const first = shown[0];
  const newerVisits = isHeld && first !== undefined ? newVisits.filter((visit) => byTime(visit, first) < 0) : [];
  const olderVisits = newVisits.filter((visit) => !newerVisits.includes(visit));
  return {
    shown: [...shown, ...olderVisits].toSorted(byTime).slice(0, MAX_ROWS),
    held: [...held, ...newerVisits].toSorted(byTime).slice(0, MAX_ROWS),
    heldCount: rows.heldCount + newerVisits.length,
    newIds: rows.newIds,
  };
}

/** Adds visits from the stream. They must be in order of arrival. */
export function addArrivals(rows: Rows, visits: readonly Visit[], isHeld: boolean): Rows {
  const existingIds = new Set([...rows.shown, ...rows.held].map(({ id }) => id));
  const newVisits = visits.filter(({ id }) => !existingIds.has(id)).toReversed();
  if (newVisits.length === 0) return rows;
  if (!isHeld) return { ...rows, shown: [...newVisits, ...rows.shown].slice(0, MAX_ROWS), newIds: toIds(newVisits) };
  return {
    ...rows,
    held: [...newVisits, ...rows.held].slice(0, MAX_ROWS),
    heldCount: rows.heldCount + newVisits.length,
  };
}

/** Moves the held visits into the visible rows. */
export const releaseHeld = ({ shown, held }: Rows): Rows => ({
  shown: [...held, ...shown].slice(0, MAX_ROWS),
  held: [],
  heldCount: 0,
  newIds: toIds(held),
});

const toIds = (visits: readonly Visit[]): ReadonlySet<string> => new Set(visits.map(({ id }) => id));

function byTime(a: Visit, b: Visit): number {
  if (a.occurred_at !== b.occurred_at) return a.occurred_at < b.occurred_at ? 1 : -1;
  return a.id < b.id ? 1 : -1;
}
