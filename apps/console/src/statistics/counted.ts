import type { TimeRange } from './time-range.js';

const QUARTER = 900_000;
const HOUR = 4 * QUARTER;
const DAY = 24 * HOUR;

/** The statement's text for milliseconds since the epoch. */
export const timestamp = (parameter: string): string => `to_timestamp(${parameter}::float8 / 1000)`;

/** Hours and days (UTC) that are not summed up, or not since the last visit in them. Milliseconds since the epoch. */
export interface OpenTimes {
  hours: ReadonlySet<number>;
  /** Also those with an open hour. */
  days: ReadonlySet<number>;
}

/** A range as it is counted: what days do not hold is in hours, and what these do not is in quarters of an hour. */
export interface Pieces {
  days: TimeRange[];
  hours: TimeRange[];
  quarters: TimeRange[];
}

/** With `days` for what needs no finer ones, `hours` else; times that an hour must not be counted across are `cuts`. */
export interface Fineness {
  largest: 'days' | 'hours' | 'quarters';
  cuts?: readonly number[];
}

/** Cuts a range into as large pieces as there are sums of. */
export function piecesOf(range: TimeRange, open: OpenTimes, { largest, cuts = [] }: Fineness): Pieces {
  const pieces: Pieces = { days: [], hours: [], quarters: [] };
  if (largest === 'quarters') return { ...pieces, quarters: [range] };
  const cutHours = new Set(cuts.filter((cut) => cut % HOUR !== 0).map((cut) => startOf(cut, HOUR)));
  for (let day = startOf(range.from, DAY); day < range.to; day += DAY) {
    if (largest === 'days' && isWithin(day, DAY, range) && !open.days.has(day)) {
      append(pieces.days, { from: day, to: day + DAY });
      continue;
    }
    for (let hour = day; hour < day + DAY; hour += HOUR) {
      const isWhole = isWithin(hour, HOUR, range) && !open.hours.has(hour) && !cutHours.has(hour);
      const piece = { from: Math.max(hour, range.from), to: Math.min(hour + HOUR, range.to) };
      if (piece.from < piece.to) append(isWhole ? pieces.hours : pieces.quarters, piece);
    }
  }
  return pieces;
}

const startOf = (time: number, length: number): number => Math.floor(time / length) * length;

const isWithin = (start: number, length: number, { from, to }: TimeRange): boolean =>
  start >= from && start + length <= to;

function append(pieces: TimeRange[], piece: TimeRange): void {
  const last = pieces.at(-1);
  if (last?.to === piece.from) last.to = piece.to;
  else pieces.push(piece);
}

/**
 * The rows of one table in these times; takes the project as $1, and two parameters, see {@link boundsOf}.
 *
 * @param first number of the first of the two.
 */
export const rowsWithin = (columns: string, table: string, first: number, condition = 'true'): string =>
  // Piece by piece over the index, whatever the planner would think of ranges that it does not know: hence OFFSET.
  `SELECT ${columns} FROM unnest($${first}::float8[], $${first + 1}::float8[]) piece (since, until), LATERAL (
     SELECT * FROM ${table}
     WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
       AND ${condition}
     OFFSET 0
   ) counted`;

/** Where they begin, and where they end. */
export const boundsOf = (pieces: readonly TimeRange[]): [number[], number[]] => [
  pieces.map(({ from }) => from),
  pieces.map(({ to }) => to),
];

/** A piece of one item of a series; `item` is its place, from 0. */
export interface ItemPiece extends TimeRange {
  item: number;
}

/** Cuts pieces, the earliest first, where items of a series begin. */
export function cutAt(pieces: readonly TimeRange[], starts: readonly number[]): ItemPiece[] {
  const cut: ItemPiece[] = [];
  let item = 0;
  for (const { from, to } of pieces) {
    for (let next, start = from; start < to; start = next) {
      while ((starts[item + 1] ?? Infinity) <= start) item += 1;
      next = Math.min(to, starts[item + 1] ?? Infinity);
      cut.push({ item, from: start, to: next });
    }
  }
  return cut;
}

/** As {@link rowsWithin}, with the visits summed up by item and columns; takes three parameters, see {@link itemsOf}. */
export const sumsWithin = (columns: string, table: string, first: number, condition = 'true'): string =>
  `SELECT item, ${columns}, visits
   FROM unnest($${first}::float8[], $${first + 1}::float8[], $${first + 2}::int[]) piece (since, until, item), LATERAL (
     SELECT ${columns}, sum(visits)::float8 AS visits FROM ${table}
     WHERE project_id = $1 AND bucket >= to_timestamp(since / 1000) AND bucket < to_timestamp(until / 1000)
       AND ${condition}
     GROUP BY ${columns}
   ) counted`;

/** Where they begin, where they end, and the items that they are of. */
export const itemsOf = (pieces: readonly ItemPiece[]): [number[], number[], number[]] => [
  ...boundsOf(pieces),
  pieces.map(({ item }) => item),
];
