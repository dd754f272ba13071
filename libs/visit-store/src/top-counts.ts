/** Maximum number of distinct values per project, bucket and dimension. Further values are counted as {@link OTHER_VALUE}. */
const MAX_TOP_VALUES = { lists: 200, reports: 1_000 };

/** SQL list of the dimensions shown in lists. All other dimensions belong to reports. */
export const LIST_DIMENSIONS = `('page', 'agent_page', 'status', 'agent_status')`;

/** Value that replaces all values over the limit. Real paths and statuses are never empty. */
export const OTHER_VALUE = '';

/**
 * Returns an SQL expression for the maximum number of values in a dimension.
 *
 * @param column Column that contains the dimension.
 */
export const maxTopValues = (column: string): string =>
  `CASE WHEN ${column} IN ${LIST_DIMENSIONS} THEN ${MAX_TOP_VALUES.lists} ELSE ${MAX_TOP_VALUES.reports} END`;

/**
 * Returns the CTEs `marked` and `bounded`, which limit the values in the CTE `tops`. Values that a bucket already
 * contains remain. New values fill the free slots, and the rest become {@link OTHER_VALUE}.
 *
 * @param slots SQL expression for the number of free slots in bucket `b`.
 * @param shards SQL condition for the shards to search.
 */
export const limitTops = (slots: string, shards = 'true'): string => `marked AS MATERIALIZED (
  SELECT t.*, known.value IS NOT NULL AS is_known
  FROM tops t LEFT JOIN LATERAL (
    SELECT value FROM visit_top_counts c
    WHERE (c.project_id, c.bucket, c.dimension, c.value) = (t.project_id, t.bucket, t.dimension, t.value) AND ${shards}
    LIMIT 1
  ) known ON true
), bounded AS (
  SELECT project_id, bucket, dimension, CASE WHEN is_known OR rank <= slots THEN value ELSE '${OTHER_VALUE}' END AS value,
    sum(visits) AS visits
  FROM (
    SELECT m.*, free.slots, row_number() OVER (
      PARTITION BY project_id, bucket, dimension, is_known ORDER BY value = '${OTHER_VALUE}', visits DESC, value
    ) AS rank
    FROM marked m LEFT JOIN (
      SELECT b.*, ${slots} AS slots
      FROM (SELECT DISTINCT project_id, bucket, dimension FROM marked WHERE NOT is_known) b
    ) free USING (project_id, bucket, dimension)
  ) ranked
  GROUP BY 1, 2, 3, 4
)`;

/** Returns an SQL expression for the number of free slots in bucket `b` across the given shards. */
export const freeSlots = (shards = 'true'): string => `${maxTopValues('b.dimension')} - (
  SELECT count(DISTINCT value) FILTER (WHERE value <> '${OTHER_VALUE}') FROM visit_top_counts c
  WHERE (c.project_id, c.bucket, c.dimension) = (b.project_id, b.bucket, b.dimension) AND ${shards}
)`;

/**
 * SQL expression for the number of free slots across all shards. A bucket that contains {@link OTHER_VALUE} is full, so
 * counting is skipped.
 */
export const FREE_SLOTS = `CASE WHEN EXISTS (
  SELECT FROM visit_top_counts c
  WHERE (c.project_id, c.bucket, c.dimension, c.value) = (b.project_id, b.bucket, b.dimension, '${OTHER_VALUE}')
) THEN 0 ELSE ${freeSlots()} END`;
