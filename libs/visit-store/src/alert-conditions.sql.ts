import { TEST_AGENT_ID } from '#libs/catalog';
import { ALERT_KINDS, type AlertKind, type AlertTest } from '#libs/contracts';
import {
  AGENT_VISITS,
  BLOCKED_VISITS,
  DISALLOWED_VISITS,
  ERRORS,
  IN_SCOPE,
  REFERRALS,
  SPOOFED_VISITS,
  TOOL_CALLS,
  within,
} from './alert-counts.sql.js';
import { NO_AGENT } from './visit-counts.js';

/**
 * SQL for the conditions of alerts. $1 and $2 are the first and last time to evaluate, which are ends of 15-minute
 * buckets. $3 contains the alerts and $4 the catalog's agents, both as JSON.
 *
 * The statements return the times when conditions were met: `alert_id`, `subject`, `at`, `value` and `usual`. They only
 * read counts from before each time, so a preview gives the same results as an evaluation.
 */

/** Number of 15-minute buckets in the baseline. A full day, because traffic depends on the time of day. */
const BASELINE_QUARTERS = 96;
const QUARTER = `interval '15 minutes'`;
const BASELINE = `interval '24 hours'`;
/** An agent that was away this long is new again. Previews cover the same period, so each agent is new at most once. */
const AWAY = `interval '30 days'`;
/** How far back to look for new agents. Visits are counted late after an outage or if they come from a drain. */
const LATE = `interval '6 hours'`;

const RULES = `SELECT * FROM jsonb_to_recordset($3::jsonb) AS r (
    id uuid, project_id uuid, kind text, agent_id uuid, agent_type text, operator text, threshold float8,
    minimum integer, window_minutes integer, watched_since timestamptz, project_created_at timestamptz
  )`;
const CATALOG = `catalog AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($4::jsonb) AS k (id uuid, type text, operator text)
)`;

/** Sums of the window and the baseline, for each time that has a count in either. */
const SUMS = `
  SELECT alert_id, subject, at, r.kind, r.project_id, r.lookback, r.threshold, r.minimum, r.window_minutes / 15 AS quarters,
    coalesce(sum(hits) FILTER (WHERE bucket >= at - r.span), 0) AS hits,
    coalesce(sum(total) FILTER (WHERE bucket >= at - r.span), 0) AS total,
    coalesce(sum(hits) FILTER (WHERE bucket < at - r.span), 0) AS usual_hits,
    coalesce(sum(total) FILTER (WHERE bucket < at - r.span), 0) AS usual_total,
    coalesce(sum(total) FILTER (WHERE bucket < at - r.span), 0) / ${BASELINE_QUARTERS} AS mean,
    coalesce(sum(total * total) FILTER (WHERE bucket < at - r.span), 0) / ${BASELINE_QUARTERS} AS mean_square
  FROM counts JOIN rules r ON r.id = alert_id,
    generate_series(greatest(bucket + ${QUARTER}, $1), least(bucket + r.lookback, $2), ${QUARTER}) at
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9`;

/** Standard deviation. The square root of the mean is the minimum, because small numbers vary by chance. */
const DEVIATION = 'greatest(sqrt(greatest(mean_square - mean * mean, 0)), sqrt(mean), 1)';
/** True if the project has counts from before the baseline. Otherwise, nothing is usual yet. */
const IS_KNOWN = `EXISTS (SELECT FROM visit_counts h WHERE h.project_id = s.project_id AND h.bucket < at - s.lookback)`;
const SHARE = '100 * hits / nullif(total, 0)';
const USUAL_SHARE = '100 * usual_hits / nullif(usual_total, 0)';

/** SQL for the values and condition of each test. Tests without an entry have their own statement. */
const TESTS: Partial<Record<AlertTest, { value: string; usual: string; isMet: string }>> = {
  count: { value: 'hits', usual: 'NULL', isMet: 'hits > 0 AND hits >= threshold' },
  share: { value: SHARE, usual: 'NULL', isMet: `hits > 0 AND total >= minimum AND ${SHARE} >= threshold` },
  share_fall: {
    value: SHARE,
    usual: USUAL_SHARE,
    isMet: `total >= minimum AND usual_total >= minimum AND ${USUAL_SHARE} - ${SHARE} >= threshold AND ${IS_KNOWN}`,
  },
  rise: {
    value: 'total',
    usual: 'mean * quarters',
    isMet: `total >= minimum AND (total / quarters - mean) / ${DEVIATION} >= threshold AND ${IS_KNOWN}`,
  },
  fall: {
    value: 'total',
    usual: 'mean * quarters',
    isMet: `mean * quarters >= minimum AND (mean - total / quarters) / ${DEVIATION} >= threshold`,
  },
};
const COMPARING: ReadonlySet<AlertTest> = new Set<AlertTest>(['rise', 'fall', 'share_fall']);

/** Compares with the day before the last visit, so the condition stays met while no visits arrive. */
const SILENCE = `
  SELECT r.id AS alert_id, '' AS subject, at, 0::float8 AS value, usual
  FROM rules r, generate_series($1::timestamptz, $2::timestamptz, ${QUARTER}) at,
    LATERAL (SELECT max(bucket) AS last FROM visit_counts WHERE project_id = r.project_id AND bucket < at) l,
    LATERAL (
      SELECT sum(visits)::float8 / ${BASELINE_QUARTERS} * (r.window_minutes / 15) AS usual FROM visit_counts
      WHERE project_id = r.project_id AND bucket > last - ${BASELINE} AND bucket <= last
      OFFSET 0
    ) u
  WHERE last < at - r.span AND usual >= r.minimum`;

const RECENT = `date_bin('1 day', c.bucket - ${BASELINE}, 'epoch')`;
const OF_AGENT = `b.project_id = c.project_id AND b.agent_id = c.agent_id AND b.result <> 'verification_failed'`;
/**
 * An agent can be new in its first 15-minute bucket of the period. Earlier visits are searched in the buckets since the
 * previous day, which contain nearly all agents, then in daily counts. No agent is new on a project's first day, even
 * if an old log is imported.
 */
const NEW_AGENTS = `
  SELECT r.id AS alert_id, c.agent_id::text AS subject, c.bucket + ${QUARTER} AS at, 0::float8 AS value, NULL::float8 AS usual
  FROM (
      SELECT id, project_id, agent_id, agent_type, operator, project_created_at,
        greatest(${QUARTER}, least(${LATE}, $1::timestamptz - coalesce(watched_since, $1))) AS lookback
      FROM rules
    ) r,
    ${within(
      'min(bucket) AS bucket, agent_id, project_id',
      'visit_counts',
      `agent_id NOT IN ('${NO_AGENT}', '${TEST_AGENT_ID}') AND result <> 'verification_failed' GROUP BY agent_id, project_id`,
    )}
    LEFT JOIN catalog k ON k.id = c.agent_id,
    LATERAL (
      SELECT EXISTS (SELECT FROM visit_counts b WHERE ${OF_AGENT} AND b.bucket >= ${RECENT} AND b.bucket < c.bucket)
        OR EXISTS (
          SELECT FROM visit_day_counts b WHERE ${OF_AGENT} AND b.bucket >= c.bucket - ${AWAY} AND b.bucket < ${RECENT}
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
}

function countsCondition(kinds: readonly AlertKind[], counts: string): Condition {
  const caseOf = (part: 'value' | 'usual' | 'isMet'): string =>
    `CASE kind ${kinds.map((kind) => `WHEN '${kind}' THEN ${TESTS[ALERT_KINDS[kind].test]![part]}`).join(' ')} END`;
  return condition(
    kinds,
    `, counts AS MATERIALIZED (${counts}), sums AS MATERIALIZED (${SUMS})
    SELECT alert_id, subject, at, coalesce(${caseOf('value')}, 0)::float8 AS value, (${caseOf('usual')})::float8 AS usual
    FROM sums s WHERE ${caseOf('isMet')}`,
  );
}

function condition(kinds: readonly AlertKind[], met: string): Condition {
  const comparing = kinds.filter((kind) => COMPARING.has(ALERT_KINDS[kind].test)).map((kind) => `'${kind}'`);
  const baseline =
    comparing.length === 0 ? '' : ` + CASE WHEN kind IN (${comparing.join(', ')}) THEN ${BASELINE} ELSE '0' END`;
  const span = 'make_interval(mins => window_minutes)';
  const rules = `rules AS MATERIALIZED (SELECT a.*, ${span} AS span, ${span}${baseline} AS lookback FROM (${RULES}) a)`;
  return { kinds, statement: `WITH ${CATALOG}, ${rules}${met}` };
}

/** Kinds of alerts with the same counts share a statement, because reading counts takes most of the time. */
export const CONDITIONS: readonly Condition[] = [
  countsCondition(['spike', 'drop', 'verified_share'], AGENT_VISITS),
  countsCondition(['spoofing'], SPOOFED_VISITS),
  countsCondition(['errors'], ERRORS),
  countsCondition(['blocked'], BLOCKED_VISITS),
  countsCondition(['disallowed'], DISALLOWED_VISITS),
  countsCondition(['tool_errors'], TOOL_CALLS),
  countsCondition(['referral_spike'], REFERRALS),
  condition(['new_agent'], NEW_AGENTS),
  condition(['no_visits'], SILENCE),
];
