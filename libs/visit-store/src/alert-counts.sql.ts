import { COMPLIANCE_DIMENSIONS, TOOL_DIMENSIONS, USER_TRIGGERED_TYPES } from '#libs/contracts';
import { dimensionCondition } from './rollups.js';
import { NO_AGENT } from './visit-counts.js';

/**
 * SQL for the counts that alerts monitor. Each row has `alert_id`, `subject`, `bucket` (15 minutes), `hits` and
 * `total`. The statements require two CTEs: `rules` contains the alerts with their lookback, and `catalog` the type and
 * operator of each agent.
 */

/** Length of a bucket. */
export const QUARTER = `interval '15 minutes'`;

/** Condition for counts of agents that the alert covers. */
export const IN_SCOPE = `(r.agent_id IS NULL OR r.agent_id = c.agent_id) AND (r.agent_type IS NULL OR r.agent_type = k.type)
  AND (r.operator IS NULL OR r.operator = k.operator)`;
const HAS_SCOPE = 'num_nonnulls(r.agent_id, r.agent_type, r.operator) > 0';

/**
 * Returns SQL that reads counts for an alert's project. OFFSET 0 forces an index scan, because the planner can't tell
 * how short the period is.
 */
export const selectInPeriod = (columns: string, table: string, condition: string): string => `LATERAL (
    SELECT ${columns} FROM ${table}
    WHERE project_id = r.project_id AND bucket >= $1::timestamptz - r.lookback AND bucket < $2::timestamptz AND ${condition}
    OFFSET 0
  ) c`;

const AGENTS = selectInPeriod('bucket, agent_id, result, visits', 'visit_counts', `agent_id <> '${NO_AGENT}'`);
const hitsAndTotal = (isHit: string, isCounted = 'true'): string =>
  `coalesce(sum(c.visits) FILTER (WHERE ${isHit}), 0)::float8 AS hits,
   coalesce(sum(c.visits) FILTER (WHERE ${isCounted}), 0)::float8 AS total`;

/**
 * Returns SQL that reads counts for a report dimension and splits its values into columns. Skips the empty value, which
 * counts visits once a bucket is full, because it has no parts to split.
 */
const dimensionCounts = (dimension: string, parts: readonly string[], condition = 'true'): string => {
  const columns = parts.map((part, index) => `parts ->> ${index} AS ${part}`).join(', ');
  const counts = selectInPeriod(
    'bucket, value::jsonb AS parts, visits',
    'visit_top_counts',
    `${dimensionCondition(`'${dimension}'`)} AND value <> '' AND ${condition}`,
  );
  return `LATERAL (SELECT bucket, ${columns}, visits FROM ${counts}) c`;
};

/**
 * Returns SQL that counts visits by agents, using their robots.txt verdict and status. Excludes visits that failed
 * verification.
 */
const robotsCounts = (isHit: string, isCounted: string, condition?: string): string => `
  SELECT r.id AS alert_id, c.agent AS subject, c.bucket, ${hitsAndTotal(isHit, isCounted)}
  FROM rules r, ${dimensionCounts(COMPLIANCE_DIMENSIONS.judged, ['agent', 'verdict', 'result', 'status'], condition)}
    LEFT JOIN catalog k ON k.id = c.agent::uuid
  WHERE c.result <> 'verification_failed' AND ${IN_SCOPE.replaceAll('c.agent_id', 'c.agent::uuid')} GROUP BY 1, 2, 3`;

/** SQL for verified and total visits by agents. Alerts without a scope share one sum per project. */
export const AGENT_VISITS = `
  SELECT r.id AS alert_id, '' AS subject, c.bucket, hits, total
  FROM rules r JOIN (
    SELECT r.project_id, c.bucket, ${hitsAndTotal(`c.result = 'verified'`)}
    FROM (SELECT project_id, max(lookback) AS lookback FROM rules r WHERE NOT ${HAS_SCOPE} GROUP BY 1) r, ${AGENTS}
    GROUP BY 1, 2
  ) c ON c.project_id = r.project_id AND c.bucket >= $1 - r.lookback
  WHERE NOT ${HAS_SCOPE}
  UNION ALL
  SELECT r.id, '', c.bucket, ${hitsAndTotal(`c.result = 'verified'`)}
  FROM (SELECT * FROM rules r WHERE ${HAS_SCOPE} OFFSET 0) r, ${AGENTS} LEFT JOIN catalog k ON k.id = c.agent_id
  WHERE ${IN_SCOPE} GROUP BY 1, 2, 3`;

/** Reads only the counted visits, because these alerts don't compare them with the total. */
const countsByAgent = (isHit: string): string => `
  SELECT r.id AS alert_id, c.agent_id::text AS subject, c.bucket, ${hitsAndTotal('true')}
  FROM rules r, ${AGENTS} LEFT JOIN catalog k ON k.id = c.agent_id
  WHERE ${isHit} AND ${IN_SCOPE} GROUP BY 1, 2, 3`;

export const SPOOFED_VISITS = countsByAgent(`c.result = 'verification_failed'`);

/** Excludes visits that failed verification, because the agent didn't make them. */
export const AGENT_REQUESTS = countsByAgent(`c.result <> 'verification_failed'`);

export const ERRORS = robotsCounts(`c.status IN ('403', 'failed')`, `c.status <> 'none'`);

/**
 * Counts all agents together, including impostors, because an outage affects every visitor. Looks up each bucket
 * separately, because a range of buckets would also contain the much more numerous pages.
 */
export const SERVER_ERRORS = `
  SELECT r.id AS alert_id, '' AS subject, c.bucket, ${hitsAndTotal(`c.value LIKE '5__'`)}
  FROM rules r, generate_series($1::timestamptz - r.lookback, $2::timestamptz - ${QUARTER}, ${QUARTER}) AS start, LATERAL (
    SELECT bucket, value, visits FROM visit_top_counts
    WHERE project_id = r.project_id AND bucket = start AND dimension = 'agent_status' AND value <> ''
    OFFSET 0
  ) c GROUP BY 1, 2, 3`;

const ALLOWED = `c.status <> 'none' AND c.verdict IN ('allowed', 'no_rules')`;
export const BLOCKED_VISITS = robotsCounts(`c.status = '403' AND ${ALLOWED}`, ALLOWED);

const userTriggered = [...USER_TRIGGERED_TYPES].map((type) => `'${type}'`).join(', ');
/**
 * Agents that fetch pages for people aren't bound by robots.txt. Only alerts limited to an agent, type or operator
 * count them. Reads only disallowed visits, because parsing the others takes most of the time.
 */
export const DISALLOWED_VISITS = robotsCounts(
  `c.verdict = 'disallowed' AND (${HAS_SCOPE} OR k.type IS NULL OR k.type NOT IN (${userTriggered}))`,
  'true',
  `value LIKE '%"disallowed"%'`,
);

export const TOOL_CALLS = `
  SELECT r.id AS alert_id, '' AS subject, c.bucket, ${hitsAndTotal(`c.outcome = 'failed'`)}
  FROM rules r, ${dimensionCounts(TOOL_DIMENSIONS.results, ['outcome'])} GROUP BY 1, 2, 3`;

export const REFERRALS = `
  SELECT r.id AS alert_id, '' AS subject, c.bucket, ${hitsAndTotal('true')}
  FROM rules r, ${dimensionCounts('referral', ['assistant'])} GROUP BY 1, 2, 3`;
