import type { Visit } from '../../api/client.js';

/** Maximum number of shown rows, and of held rows. */
export const MAX_ROWS = 1_000;

/** Rows of the live table, newest first. */
export interface Rows {
  shown: readonly Visit[];
  /** Visits that arrived while the table was on hold. */
  held: readonly Visit[];
  /** Number of visits that arrived on hold, including those dropped from `held`. */
  heldCount: number;
}

export const NO_ROWS: Rows = { shown: [], held: [], heldCount: 0 };

/** Merges a list response into the visits already received from the stream, without duplicates. */
export function listed(rows: Rows, list: readonly Visit[], isHeld = false): Rows {
  const { shown, held } = rows;
  const ids = new Set([...shown, ...held].map(({ id }) => id));
  const fresh = list.filter(({ id }) => !ids.has(id));
  if (fresh.length === 0) return rows;
  // On hold, nothing may be added above the visible rows. Older visits can be inserted among them.
  const first = shown[0];
  const above = isHeld && first !== undefined ? fresh.filter((visit) => byTime(visit, first) < 0) : [];
  const among = fresh.filter((visit) => !above.includes(visit));
  return {
    shown: [...shown, ...among].toSorted(byTime).slice(0, MAX_ROWS),
    held: [...held, ...above].toSorted(byTime).slice(0, MAX_ROWS),
    heldCount: rows.heldCount + above.length,
  };
}

/** Adds visits from the stream. @param visits In order of arrival. */
export function arrived(rows: Rows, visits: readonly Visit[], isHeld: boolean): Rows {
  const known = new Set([...rows.shown, ...rows.held].map(({ id }) => id));
  const fresh = visits.filter(({ id }) => !known.has(id)).toReversed();
  if (fresh.length === 0) return rows;
  if (!isHeld) return { ...rows, shown: [...fresh, ...rows.shown].slice(0, MAX_ROWS) };
  return {
    shown: rows.shown,
    held: [...fresh, ...rows.held].slice(0, MAX_ROWS),
    heldCount: rows.heldCount + fresh.length,
  };
}

/** Moves held visits into the table. */
export const released = ({ shown, held }: Rows): Rows => ({
  shown: [...held, ...shown].slice(0, MAX_ROWS),
  held: [],
  heldCount: 0,
});

function byTime(one: Visit, other: Visit): number {
  if (one.occurred_at !== other.occurred_at) return one.occurred_at < other.occurred_at ? 1 : -1;
  return one.id < other.id ? 1 : -1;
}
