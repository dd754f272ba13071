import { getTimeFromId } from '#libs/contracts';
import { formatDay, toDayNumber } from '../partitions.repository.js';

/** Returns the UTC day when a visit was received, as `YYYY-MM-DD`. */
export const dayOf = (id: string): string => formatDay(toDayNumber(getTimeFromId(id)));

/** Returns the days when visits were received, so that ClickHouse only reads those partitions. */
export const daysOf = (ids: readonly string[]): string[] => [...new Set(ids.map(dayOf))];
