import type { TimeRange } from '../time-range.js';

/** Condition for a project's visits in a range. The primary key starts with these columns, so other parts are skipped. */
export const IN_RANGE = 'project_id = {project:UUID} AND occurred_at >= {from:Int64} AND occurred_at < {to:Int64}';

/** Returns the parameters of {@link IN_RANGE}. */
export const rangeParameters = (projectId: string, { from, to }: TimeRange) => ({ project: projectId, from, to });

/** Sort orders of visits. UUIDs have another order in ClickHouse than in PostgreSQL. */
export const NEWEST_FIRST = 'occurred_at DESC, UUIDToNum(id) DESC';
export const OLDEST_FIRST = 'occurred_at, UUIDToNum(id)';
