/** Maximum number of values that are counted in a bucket of a project, by dimension. The rest counts as {@link OTHER}. */
const MAX_TOP_VALUES = { lists: 200, reports: 1_000 };

/** SQL list of the dimensions of lists. All others belong to reports. */
export const LISTS = `('page', 'agent_page', 'status', 'agent_status')`;

/** Value that stands for all values over the limit. No path or status is empty. */
export const OTHER = '';

/** Returns SQL of the maximum number of values in the dimension that a column contains. */
export const maxTopValues = (column: string): string =>
  `CASE WHEN ${column} IN ${LISTS} THEN ${MAX_TOP_VALUES.lists} ELSE ${MAX_TOP_VALUES.reports} END`;

/**
 * Returns two CTEs that limit the values of each bucket. Values that the bucket already has stay, new ones get the free
 * slots, and the others become {@link OTHER}. They read the rows of a CTE `tops`; the result is `bounded`.
 *
 * @param slots SQL of the number of free slots in the bucket `b`
 * @param shards condition for the rows that hold the bucket's values
 */
export const boundedTops = (slots: string, shards = 'true'): string => `marked AS MATERIALIZED (
  SELECT t.*, known.value IS NOT NULL AS is_known
  FROM tops t LEFT JOIN LATERAL (
    SELECT value FROM visit_top_counts c
    WHERE (c.project_id, c.bucket, c.dimension, c.value) = (t.project_id, t.bucket, t.dimension, t.value) AND ${shards}
    LIMIT 1
  ) known ON true
), bounded AS (
  SELECT project_id, bucket, dimension, CASE WHEN is_known OR rank <= slots THEN value ELSE '${OTHER}' END AS value,
    sum(visits) AS visits
  FROM (
    SELECT m.*, free.slots, row_number() OVER (
      PARTITION BY project_id, bucket, dimension, is_known ORDER BY value = '${OTHER}', visits DESC, value
    ) AS rank
    FROM marked m LEFT JOIN (
      SELECT b.*, ${slots} AS slots
      FROM (SELECT DISTINCT project_id, bucket, dimension FROM marked WHERE NOT is_known) b
    ) free USING (project_id, bucket, dimension)
  ) ranked
  GROUP BY 1, 2, 3, 4
)`;

/** Returns SQL of the number of free slots in the bucket `b`. */
export const freeSlots = (shards = 'true'): string => `${maxTopValues('b.dimension')} - (
  SELECT count(DISTINCT value) FILTER (WHERE value <> '${OTHER}') FROM visit_top_counts c
  WHERE (c.project_id, c.bucket, c.dimension) = (b.project_id, b.bucket, b.dimension) AND ${shards}
)`;

/** Like {@link freeSlots}, for all shards. A bucket that contains OTHER is full, so its values aren't counted. */
export const FREE_SLOTS = `CASE WHEN EXISTS (
  SELECT FROM visit_top_counts c
  WHERE (c.project_id, c.bucket, c.dimension, c.value) = (b.project_id, b.bucket, b.dimension, '${OTHER}')
) THEN 0 ELSE ${freeSlots()} END`;
