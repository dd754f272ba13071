import { getTimeFromId } from '#libs/contracts';
import { formatDay, toDayNumber } from '../partitions.repository.js';

/** Maximum number of IDs per parameter. Statements other than queries send their parameters in the URL. */
const MAX_IDS_PER_PARAMETER = 1_000;

/** Returns the UTC day when a visit was received, as `YYYY-MM-DD`. */
export const dayOf = (id: string): string => formatDay(toDayNumber(getTimeFromId(id)));

/** Returns the days when visits were received, so that ClickHouse only reads those partitions. */
export const daysOf = (ids: readonly string[]): string[] => [...new Set(ids.map(dayOf))];

/** Splits IDs into lists that fit in a parameter. */
export const splitIds = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / MAX_IDS_PER_PARAMETER) }, (_, index) =>
    ids.slice(index * MAX_IDS_PER_PARAMETER, (index + 1) * MAX_IDS_PER_PARAMETER),
  );
