import { ALERT_KINDS, type AlertKind, type AlertTest } from '#libs/contracts';
import { TEST_AGENT_ID } from '#libs/catalog';
import { NO_AGENT } from '#libs/visit-store';
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
} from './alert-counts.js';

/**
 * SQL of what alerts watch. Each statement takes the first ($1) and the last ($2) time that is looked at, ends of quarters of an
 * hour, and returns when which alert's condition was met: `alert_id`, `subject`, `at`, `value`, `usual`. It reads only what
 * was counted before each time, so it says the same of a time later on: previews are made by the same statements.
 */

/** By quarters of an hour, a day: the rhythm of a day is part of what is usual. */
const BASELINE_QUARTERS = 96;
const QUARTER = `interval '15 minutes'`;
const BASELINE = `interval '24 hours'`;
/** An agent that was away for as long is new again. Previews look back no further, so it is new once in each. */
const AWAY = `interval '30 days'`;
/** New agents are looked for as far back: visits are counted later than they come after an outage, or from a drain. */
const LATE = `interval '6 hours'`;

/** What an alert is told by, as it is in JSON. */
const RULE = `id uuid, project_id uuid, kind text, agent_id uuid, agent_type text, operator text, threshold float8,
  minimum integer, window_minutes integer, created_at timestamptz, watched_since timestamptz`;

/** Type and operator of each agent today. As a record: each ->> would unpack the agent's address ranges anew. */
const CATALOG = `catalog AS MATERIALIZED (
  SELECT id, r.type, r.operator FROM (SELECT id, coalesce(own, bundled, feed) AS agent FROM agents OFFSET 0) a,
    jsonb_to_record(agent) AS r (type text, operator text)
)`;

/** The times of a count: those in whose window, or baseline, it is. */
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

/** With few visits, chance alone makes them vary by the root of their number. */
const DEVIATION = 'greatest(sqrt(greatest(mean_square - mean * mean, 0)), sqrt(mean), 1)';
/** A project that begins to report has nothing usual yet. */
const IS_KNOWN = `EXISTS (SELECT FROM visit_counts h WHERE h.project_id = s.project_id AND h.bucket < at - s.lookback)`;
const SHARE = '100 * hits / nullif(total, 0)';
const USUAL_SHARE = '100 * usual_hits / nullif(usual_total, 0)';

/** What each test tells, and when it is met. Tests without an entry have a statement of their own. */
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

/** Compared with the day before the last visit: it goes on for as long as nothing comes. */
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
 * Of the quarters that are looked at, the first one with an agent is the one in which it may be new. Earlier visits are looked
 * for in quarters since yesterday, where nearly all agents are, and then in counts of days. An alert that is only previewed, and so
 * was never created, has no events. In a project's first day every agent is new, even after the import of an old log.
 */
const NEW_AGENTS = `
  SELECT r.id AS alert_id, c.agent_id::text AS subject, c.bucket + ${QUARTER} AS at, 0::float8 AS value, NULL::float8 AS usual
  FROM (
      SELECT id, project_id, agent_id, agent_type, operator, created_at,
        greatest(${QUARTER}, least(${LATE}, $1::timestamptz - coalesce(watched_since, created_at, $1))) AS lookback
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
        )
        OR EXISTS (SELECT FROM projects p WHERE p.id = c.project_id AND p.created_at > c.bucket - ${BASELINE}) AS is_known
      OFFSET 0
    ) known
  WHERE NOT is_known AND ${IN_SCOPE} AND (r.created_at IS NULL OR NOT EXISTS (
    SELECT FROM alert_events e WHERE e.alert_id = r.id AND e.subject = c.agent_id::text AND e.fired_at > c.bucket
  ))`;

/** Versions that are an error, or nothing where there was a file. */
const ROBOTS = `
  SELECT r.id AS alert_id, v.host AS subject, at, 0::float8 AS value, NULL::float8 AS usual
  FROM rules r JOIN robots_versions v ON v.project_id = r.project_id AND v.digest IS NULL,
    generate_series($1::timestamptz, $2::timestamptz, ${QUARTER}) at
  WHERE v.served_from <= at - r.span AND (v.served_until IS NULL OR v.served_until > at) AND (
    v.status >= 500 OR EXISTS (
      SELECT FROM robots_versions b
      WHERE b.project_id = v.project_id AND b.host = v.host AND b.served_from < v.served_from AND b.digest IS NOT NULL
    )
  )`;

/** Kinds that look at the same counts share a statement: what takes time is to read these. */
const MEASURES: readonly ({ kinds: readonly AlertKind[] } & ({ counts: string } | { met: string }))[] = [
  { kinds: ['spike', 'drop', 'verified_share'], counts: AGENT_VISITS },
  { kinds: ['spoofing'], counts: SPOOFED_VISITS },
  { kinds: ['errors'], counts: ERRORS },
  { kinds: ['blocked'], counts: BLOCKED_VISITS },
  { kinds: ['disallowed'], counts: DISALLOWED_VISITS },
  { kinds: ['tool_errors'], counts: TOOL_CALLS },
  { kinds: ['referral_spike'], counts: REFERRALS },
  { kinds: ['new_agent'], met: NEW_AGENTS },
  { kinds: ['robots_missing'], met: ROBOTS },
  { kinds: ['no_visits'], met: SILENCE },
];

/** @param which alerts there are. */
function statement(measure: (typeof MEASURES)[number], which: string): string {
  const { kinds } = measure;
  const quoted = (list: readonly AlertKind[]): string => list.map((kind) => `'${kind}'`).join(', ');
  const comparing = kinds.filter((kind) => COMPARING.has(ALERT_KINDS[kind].test));
  const baseline =
    comparing.length === 0 ? '' : ` + CASE WHEN kind IN (${quoted(comparing)}) THEN ${BASELINE} ELSE '0' END`;
  const span = 'make_interval(mins => window_minutes)';
  const rules = `rules AS MATERIALIZED (SELECT a.*, ${span} AS span, ${span}${baseline} AS lookback FROM (${which}) a)`;
  if ('met' in measure) return `WITH ${CATALOG}, ${rules} ${measure.met}`;
  const each = (of: 'value' | 'usual' | 'isMet'): string =>
    `CASE kind ${kinds.map((kind) => `WHEN '${kind}' THEN ${TESTS[ALERT_KINDS[kind].test]![of]}`).join(' ')} END`;
  return `WITH ${CATALOG}, ${rules}, counts AS MATERIALIZED (${measure.counts}), sums AS MATERIALIZED (${SUMS})
    SELECT alert_id, subject, at, coalesce(${each('value')}, 0)::float8 AS value, (${each('usual')})::float8 AS usual
    FROM sums s WHERE ${each('isMet')}`;
}

/** Statements about all alerts that are watched. The visits of the demo project are made up. */
export const WATCHED = MEASURES.map((measure) =>
  statement(
    measure,
    `SELECT a.* FROM alerts a JOIN projects p ON p.id = a.project_id
     WHERE a.is_enabled AND NOT p.is_demo AND a.kind IN (${measure.kinds.map((kind) => `'${kind}'`).join(', ')})`,
  ),
);

/** Returns the statement about one alert, which it takes as JSON in $3. */
export const measureOf = (kind: AlertKind): string =>
  statement(
    MEASURES.find(({ kinds }) => kinds.includes(kind))!,
    `SELECT * FROM jsonb_to_record($3::jsonb) AS r (${RULE})`,
  );
