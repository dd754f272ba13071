import { TEST_AGENT_ID } from '#libs/catalog';
import { ALERT_KINDS, type AlertKind, type AlertTest } from '#libs/contracts';
import {
  AGENT_REQUESTS,
  AGENT_VISITS,
  BLOCKED_VISITS,
  DISALLOWED_VISITS,
  ERRORS,
  IN_SCOPE,
  QUARTER,
  REFERRALS,
  SERVER_ERRORS,
  SPOOFED_VISITS,
  TOOL_CALLS,
  selectInPeriod,
} from './alert-counts.sql.js';
import { NO_AGENT } from './visit-counts.js';

/**
 * SQL that evaluates alert conditions. $1 and $2 are the first and last evaluation times, which are ends of 15-minute
 * buckets. $3 contains the alerts and $4 the catalog's agents, both as JSON.
 *
 * Each statement returns `alert_id`, `subject`, `at`, `until`, `value` and `usual` for the times at which a condition was
 * met: all evaluation times from `at` to `until`. It only reads counts from before each time, so a preview gives the same
 * results as an evaluation. $5 limits the number of rows.
 */

/** Number of 15-minute buckets in the baseline. It covers an entire day because traffic depends on the time of day. */
const BASELINE_QUARTERS = 96;
const BASELINE = `interval '24 hours'`;
/**
 * An agent that hasn't visited for this long counts as new again. Previews cover the same period, so each agent is new
 * at most once.
 */
const ABSENCE_INTERVAL = `interval '30 days'`;
/**
 * How far back to look for new agents. Visits can be counted late, for example after an outage or when they come from a
 * drain.
 */
const MAX_COUNT_DELAY = `interval '6 hours'`;

const RULES = `SELECT * FROM jsonb_to_recordset($3::jsonb) AS r (
    id uuid, project_id uuid, kind text, agent_id uuid, agent_type text, operator text, threshold float8,
    minimum integer, window_minutes integer, watched_since timestamptz, project_created_at timestamptz
  )`;
const CATALOG = `catalog AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($4::jsonb) AS k (id uuid, type text, operator text)
)`;

/** A count enters the window, leaves it for the baseline, and leaves the baseline. */
const BASELINE_CHANGES = `(${QUARTER}, 1, 0), (r.span + ${QUARTER}, -1, 1), (r.lookback + ${QUARTER}, 0, -1)`;
const WINDOW_CHANGES = `(${QUARTER}, 1, 0), (r.span + ${QUARTER}, -1, 0)`;

/**
 * Sums counts over the window and the baseline, for each evaluation time with a count in either of them. Sums only
 * change when a count enters or leaves the window or the baseline, so each row applies to all evaluation times from `at`
 * to `until`.
 */
const sumsOf = (changes: string): string => `
  SELECT *, usual_total / ${BASELINE_QUARTERS} AS mean, usual_squares / ${BASELINE_QUARTERS} AS mean_square FROM (
    SELECT alert_id, subject, r.kind, r.lookback, r.first_bucket, r.threshold, r.minimum, r.window_minutes / 15 AS quarters,
      at, coalesce(lead(at) OVER times - ${QUARTER}, $2) AS until, sum(counts) OVER times AS counts,
      sum(c.hits) OVER times AS hits, sum(c.total) OVER times AS total, sum(c.usual_hits) OVER times AS usual_hits,
      sum(c.usual_total) OVER times AS usual_total, sum(c.usual_squares) OVER times AS usual_squares
    FROM (
      SELECT alert_id, subject, greatest(bucket + delay, $1) AS at, sum(sign + usual_sign)::float8 AS counts,
        sum(sign * hits) AS hits, sum(sign * total) AS total, sum(usual_sign * hits) AS usual_hits,
        sum(usual_sign * total) AS usual_total, sum(usual_sign * total * total) AS usual_squares
      FROM counts JOIN rules r ON r.id = alert_id, LATERAL (VALUES ${changes}) change (delay, sign, usual_sign)
      WHERE bucket + delay <= $2
      GROUP BY 1, 2, 3
    ) c JOIN rules r ON r.id = alert_id
    WINDOW times AS (PARTITION BY alert_id, subject ORDER BY at)
  ) changes WHERE counts > 0`;

/**
 * Standard deviation of the baseline. It's at least the square root of the mean, because small numbers vary by chance.
 */
const DEVIATION = 'greatest(sqrt(greatest(mean_square - mean * mean, 0)), sqrt(mean), 1)';
/** True if the project has counts from before the baseline. Otherwise, there is nothing to compare with yet. */
const HAS_HISTORY = 'first_bucket < last - lookback';
const SHARE = '100 * hits / nullif(total, 0)';
const USUAL_SHARE = '100 * usual_hits / nullif(usual_total, 0)';

interface TestSql {
  value: string;
  usual: string;
  /** Value from which the condition is met. Null if no value can meet it. */
  boundary: string;
  /** True if there are enough visits for a value. */
  isMeasured: string;
  isMet: string;
}

/** SQL expressions for each test. Tests without an entry have their own statement. */
const TESTS: Partial<Record<AlertTest, TestSql>> = {
  count: {
    value: 'hits',
    usual: 'NULL',
    boundary: 'threshold',
    isMeasured: 'true',
    isMet: 'hits > 0 AND hits >= threshold',
  },
  share: {
    value: SHARE,
    usual: 'NULL',
    boundary: 'threshold',
    isMeasured: 'total > 0 AND total >= minimum',
    isMet: `hits > 0 AND total >= minimum AND ${SHARE} >= threshold`,
  },
  share_fall: {
    value: SHARE,
    usual: USUAL_SHARE,
    boundary: `CASE WHEN ${USUAL_SHARE} >= threshold AND ${HAS_HISTORY} THEN ${USUAL_SHARE} - threshold END`,
    isMeasured: 'total > 0 AND total >= minimum AND usual_total >= minimum',
    isMet: `total >= minimum AND usual_total >= minimum AND ${USUAL_SHARE} - ${SHARE} >= threshold AND ${HAS_HISTORY}`,
  },
  rise: {
    value: 'total',
    usual: 'mean * quarters',
    boundary: `CASE WHEN ${HAS_HISTORY} THEN greatest((mean + threshold * ${DEVIATION}) * quarters, minimum) END`,
    isMeasured: 'true',
    isMet: `total >= minimum AND (total / quarters - mean) / ${DEVIATION} >= threshold AND ${HAS_HISTORY}`,
  },
  fall: {
    value: 'total',
    usual: 'mean * quarters',
    boundary: `CASE WHEN mean * quarters >= minimum AND mean >= threshold * ${DEVIATION}
      THEN (mean - threshold * ${DEVIATION}) * quarters END`,
    isMeasured: 'true',
    isMet: `mean * quarters >= minimum AND (mean - total / quarters) / ${DEVIATION} >= threshold`,
  },
};
const BASELINE_TESTS: ReadonlySet<AlertTest> = new Set<AlertTest>(['rise', 'fall', 'share_fall']);
/** Tests that use {@link HAS_HISTORY}. */
const HISTORY_TESTS: ReadonlySet<AlertTest> = new Set<AlertTest>(['rise', 'share_fall']);

/**
 * Condition for projects without visits. The baseline is the day before the last visit, so the condition remains met
 * while no visits arrive.
 */
const NO_VISITS = `
  SELECT r.id AS alert_id, '' AS subject, at, at AS until, 0::float8 AS value, usual
  FROM rules r, generate_series($1::timestamptz, $2::timestamptz, ${QUARTER}) at,
    LATERAL (SELECT max(bucket) AS last FROM visit_counts WHERE project_id = r.project_id AND bucket < at) l,
    LATERAL (
      SELECT sum(visits)::float8 / ${BASELINE_QUARTERS} * (r.window_minutes / 15) AS usual FROM visit_counts
      WHERE project_id = r.project_id AND bucket > last - ${BASELINE} AND bucket <= last
      OFFSET 0
    ) u
  WHERE last < at - r.span AND usual >= r.minimum`;

const RECENT_START = `date_bin('1 day', c.bucket - ${BASELINE}, 'epoch')`;
const IS_SAME_AGENT = `b.project_id = c.project_id AND b.agent_id = c.agent_id AND b.result <> 'verification_failed'`;
/**
 * Finds new agents. Only an agent's first 15-minute bucket in the period is checked. Earlier visits are looked up in
 * 15-minute buckets since the previous day, which contain nearly all agents, and then in daily counts. No agent is new
 * on a project's first day, even if an old log is imported.
 */
const NEW_AGENTS = `
  SELECT r.id AS alert_id, c.agent_id::text AS subject, c.bucket + ${QUARTER} AS at, c.bucket + ${QUARTER} AS until, 0::float8 AS value, NULL::float8 AS usual
  FROM (
      SELECT id, project_id, agent_id, agent_type, operator, project_created_at,
        greatest(${QUARTER}, least(${MAX_COUNT_DELAY}, $1::timestamptz - coalesce(watched_since, $1))) AS lookback
      FROM rules
    ) r,
    ${selectInPeriod(
      'min(bucket) AS bucket, agent_id, project_id',
      'visit_counts',
      `agent_id NOT IN ('${NO_AGENT}', '${TEST_AGENT_ID}') AND result <> 'verification_failed' GROUP BY agent_id, project_id`,
    )}
    LEFT JOIN catalog k ON k.id = c.agent_id,
    LATERAL (
      SELECT EXISTS (SELECT FROM visit_counts b WHERE ${IS_SAME_AGENT} AND b.bucket >= ${RECENT_START} AND b.bucket < c.bucket)
        OR EXISTS (
          SELECT FROM visit_day_counts b WHERE ${IS_SAME_AGENT} AND b.bucket >= c.bucket - ${ABSENCE_INTERVAL} AND b.bucket < ${RECENT_START}
        )
        OR NOT EXISTS (
          SELECT FROM visit_counts b WHERE b.project_id = c.project_id AND b.bucket < c.bucket - ${BASELINE}
        ) AS is_known
      OFFSET 0
    ) known
  WHERE r.project_created_at <= c.bucket - ${BASELINE} AND NOT is_known AND ${IN_SCOPE}`;

interface Condition {
  kinds: readonly AlertKind[];
  statement: string;
  /**
   * Statement for a preview. In addition to the times, it returns rows for a chart of the measured values: the one
   * closest to firing in each `CHART_BUCKET`, with the value from which the alert fires. Their `time` isn't null. Null if
   * these kinds measure no value.
   */
  previewStatement: string | null;
}

/** Length of a bar in the chart of an alert's values. */
export const CHART_BUCKET_HOURS = 6;
/** Tests that are met by low values. */
const FALL_TESTS: ReadonlySet<AlertTest> = new Set<AlertTest>(['fall', 'share_fall']);

function createCountsCondition(kinds: readonly AlertKind[], counts: string): Condition {
  const caseFor = (part: keyof TestSql): string =>
    `CASE kind ${kinds.map((kind) => `WHEN '${kind}' THEN ${TESTS[ALERT_KINDS[kind].test]![part]}`).join(' ')} END`;
  const fallKinds = kinds.filter((kind) => FALL_TESTS.has(ALERT_KINDS[kind].test)).map((kind) => `'${kind}'`);
  const direction = fallKinds.length === 0 ? '1' : `CASE WHEN kind IN (${fallKinds.join(', ')}) THEN -1 ELSE 1 END`;
  const hasBaseline = kinds.some((kind) => BASELINE_TESTS.has(ALERT_KINDS[kind].test));
  const sums = `, counts AS MATERIALIZED (${counts}), sums AS MATERIALIZED (${sumsOf(hasBaseline ? BASELINE_CHANGES : WINDOW_CHANGES)})`;
  const chartBucket = `interval '${CHART_BUCKET_HOURS} hours'`;
  const met = `SELECT alert_id, subject, greatest(at, first_bucket + lookback + ${QUARTER}) AS at, until,
      coalesce(${caseFor('value')}, 0)::float8 AS value, (${caseFor('usual')})::float8 AS usual
    FROM (SELECT *, until AS last FROM sums) s WHERE ${caseFor('isMet')}`;
  return createCondition(
    kinds,
    `${sums}
    ${met}`,
    `${sums}, measured AS (
      SELECT time, ${direction} AS direction,
        coalesce(${caseFor('value')}, 0)::float8 AS value, (${caseFor('boundary')})::float8 AS boundary
      FROM sums,
        generate_series(date_bin(${chartBucket}, greatest(at - ${QUARTER}, $1), $1), until - ${QUARTER}, ${chartBucket}) time,
        LATERAL (SELECT least(until, time + ${chartBucket}) AS last) l
      WHERE ${caseFor('isMeasured')}
    )
    (SELECT DISTINCT ON (time) NULL::uuid AS alert_id, NULL AS subject, NULL::timestamptz AS at, NULL::timestamptz AS until,
      value, NULL::float8 AS usual, time, boundary
    FROM measured ORDER BY time, direction * (value - boundary) DESC NULLS LAST, direction * value DESC)
    UNION ALL
    (SELECT *, NULL, NULL FROM (${met}) met LIMIT $5)`,
  );
}

function createCondition(
  kinds: readonly AlertKind[],
  conditionSql: string,
  previewSql: string | null = null,
): Condition {
  const isOfTest = (tests: ReadonlySet<AlertTest>): string => {
    const matching = kinds.filter((kind) => tests.has(ALERT_KINDS[kind].test)).map((kind) => `'${kind}'`);
    return matching.length === 0 ? 'false' : `kind IN (${matching.join(', ')})`;
  };
  const span = 'make_interval(mins => window_minutes)';
  const rules = `rules AS MATERIALIZED (
    SELECT r.*, ${span} AS span, ${span} + CASE WHEN ${isOfTest(BASELINE_TESTS)} THEN ${BASELINE} ELSE '0' END AS lookback,
      CASE WHEN ${isOfTest(HISTORY_TESTS)}
        THEN (SELECT min(bucket) FROM visit_counts WHERE project_id = r.project_id) END AS first_bucket
    FROM (${RULES}) r
  )`;
  const start = `WITH ${CATALOG}, ${rules}`;
  return {
    kinds,
    statement: `${start}${conditionSql} LIMIT $5`,
    previewStatement: previewSql === null ? null : `${start}${previewSql}`,
  };
}

/**
 * Statements by alert kind. Kinds that use the same counts share a statement, because reading counts takes most of the
 * time.
 */
export const CONDITIONS: readonly Condition[] = [
  createCountsCondition(['spike', 'drop', 'verified_share'], AGENT_VISITS),
  createCountsCondition(['spoofing'], SPOOFED_VISITS),
  createCountsCondition(['agent_load'], AGENT_REQUESTS),
  createCountsCondition(['errors'], ERRORS),
  createCountsCondition(['server_errors'], SERVER_ERRORS),
  createCountsCondition(['blocked'], BLOCKED_VISITS),
  createCountsCondition(['disallowed'], DISALLOWED_VISITS),
  createCountsCondition(['tool_errors'], TOOL_CALLS),
  createCountsCondition(['referral_spike'], REFERRALS),
  createCondition(['new_agent'], NEW_AGENTS),
  createCondition(['no_visits'], NO_VISITS),
];
