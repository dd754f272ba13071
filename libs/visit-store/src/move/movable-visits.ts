import { getFirstIdAt } from '#libs/contracts';
import { ARCHIVED_COLUMNS, type ArchivedVisit } from '../archived-visit.js';
import type { DayNumber } from '../partitions.repository.js';

export const HOUR_MS = 3_600_000;
export const DAY_HOURS = 24;
/** Maximum total size of a page's documents. */
export const PAGE_BYTES = 8 * 2 ** 20;
export const COLUMN_LIST = ARCHIVED_COLUMNS.map(({ name }) => name).join(', ');

/** Hours since the epoch. A visit belongs to the hour it was received, which is part of its ID. */
export type Hour = number;

export interface HourContent {
  hour: Hour;
  visits: number;
  /** Digest of the hour's visits, in any order. */
  digest: string;
}

/** A database that stores visits, as the source or the target of a move. */
export interface MovableVisits {
  /** Returns the days that have visits. */
  days(): Promise<DayNumber[]>;
  /**
   * Returns the content of a day by hour. Hours without visits are missing.
   *
   * @param comparesIds Whether to include visits that were only counted.
   */
  contents(day: DayNumber, comparesIds: boolean): Promise<HourContent[]>;
  /** Returns an hour's visits in pages. */
  read(hour: Hour): AsyncIterable<ArchivedVisit[]>;
  /** Returns the IDs of an hour's visits that were only counted. */
  countedIds(hour: Hour): Promise<string[]>;
  /** Deletes an hour's visits, but no IDs that prevent visits from being stored twice. */
  clear(hour: Hour): Promise<void>;
  write(hour: Hour, visits: readonly ArchivedVisit[]): Promise<void>;
  writeCountedIds(hour: Hour, ids: readonly string[]): Promise<void>;
}

/** Returns the first ID of an hour, and the first ID after it. */
export const bounds = (hour: Hour): [first: string, end: string] => [
  getFirstIdAt(hour * HOUR_MS),
  getFirstIdAt((hour + 1) * HOUR_MS),
];
