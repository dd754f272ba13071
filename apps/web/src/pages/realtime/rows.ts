import type { Visit } from '../../api/client.js';

/** Rows that the page keeps. */
export const MAX_ROWS = 1_000;

/** The rows of the live table, the newest first. */
export interface Rows {
  shown: readonly Visit[];
  /** Those that came while the table was to stay as it is. */
  held: readonly Visit[];
  /** Of these the number, also of what is not kept any more. */
  heldCount: number;
}

export const NO_ROWS: Rows = { shown: [], held: [], heldCount: 0 };

/** What a list answered: among what has come by the stream meanwhile, each visit once. */
export function listed(rows: Rows, list: readonly Visit[], isHeld = false): Rows {
  const { shown, held } = rows;
  const ids = new Set([...shown, ...held].map(({ id }) => id));
  const fresh = list.filter(({ id }) => !ids.has(id));
  if (fresh.length === 0) return rows;
  // Rows that stand still get nothing on top of them; below there is room.
  const first = shown[0];
  const above = isHeld && first !== undefined ? fresh.filter((visit) => byTime(visit, first) < 0) : [];
  const among = fresh.filter((visit) => !above.includes(visit));
  return {
    shown: [...shown, ...among].toSorted(byTime).slice(0, MAX_ROWS),
    held: [...held, ...above].toSorted(byTime).slice(0, MAX_ROWS),
    heldCount: rows.heldCount + above.length,
  };
}

/** @param arrived in the order in which they came. */
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

/** Shows what was held back. */
export const released = ({ shown, held }: Rows): Rows => ({
  shown: [...held, ...shown].slice(0, MAX_ROWS),
  held: [],
  heldCount: 0,
});

function byTime(one: Visit, other: Visit): number {
  if (one.occurred_at !== other.occurred_at) return one.occurred_at < other.occurred_at ? 1 : -1;
  return one.id < other.id ? 1 : -1;
}
