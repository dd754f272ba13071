import type { TimeRange } from './time-range.js';

const DAY = 86_400_000;

/** The statement's text for milliseconds since the epoch. */
export const timestamp = (parameter: string): string => `to_timestamp(${parameter}::float8 / 1000)`;

/** A condition on `bucket`, and its two parameters. */
export const within = (from: string, to: string): string =>
  `bucket >= ${timestamp(from)} AND bucket < ${timestamp(to)}`;

export interface CountTables {
  quarters: 'visit_counts' | 'visit_top_counts';
  days: 'visit_day_counts' | 'visit_day_top_counts';
}

/**
 * The rows that count a range: those of whole days (UTC) where there are such, and of quarters of an hour before and
 * after them. Takes the parameters $1 (project) and $2 to $5, see {@link rangeParameters}.
 */
export function countedRows(columns: string, { quarters, days }: CountTables): string {
  const rows = (table: string, from: string, to: string): string =>
    `SELECT ${columns} FROM ${table} WHERE project_id = $1 AND ${within(from, to)}`;
  return `(${rows(quarters, '$2', '$3')} UNION ALL ${rows(days, '$3', '$4')} UNION ALL ${rows(quarters, '$4', '$5')}) counted`;
}

/** Where the range starts, where its whole days start and end, where it ends. */
export function rangeParameters({ from, to }: TimeRange): [number, number, number, number] {
  const firstDay = Math.ceil(from / DAY) * DAY;
  const lastDay = Math.floor(to / DAY) * DAY;
  return firstDay < lastDay ? [from, firstDay, lastDay, to] : [from, to, to, to];
}
