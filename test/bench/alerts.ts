/**
 * Measures the alert evaluation that runs after each quarter-hour, for 1,000 projects. Each project has an alert of
 * every kind and 12 agents that visited every 15 minutes. Durations come from the console's metrics.
 *
 *   npm run bench -- --alerts            requires a build, takes about four minutes
 *   npm run bench -- --alerts --quick    20 projects, as a smoke test
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { ALERT_KIND_NAMES, ALERT_KINDS } from '#libs/contracts';
import { OFFLINE_ENV } from '../kit/instance.ts';
import { stopServers, isQuick, ROUNDS, serveStandalone } from './compare.ts';
import { median } from './load.ts';
import { connectTo, startPostgres } from './postgres.ts';

const PROJECTS = isQuick ? 20 : 1_000;
const AGENTS = 12;
const GOAL_SECONDS = 5;
/**
 * One in 10 projects has a spoofed agent. Once the alerts in all of these projects have fired, every project has been
 * evaluated.
 */
const SPOOFED_INTERVAL = 10;
/**
 * Maximum time to wait for an evaluation. It must be longer than the console's check interval plus the duration of an
 * evaluation.
 */
const EVALUATION_TIMEOUT_MS = 90_000;
const POLL_MS = 200;

const postgres = await startPostgres();
try {
  const databaseUrl = await postgres.createDatabase('bench');
  const url = await serveStandalone(postgres.folder, databaseUrl, OFFLINE_ENV);
  const pool = connectTo(databaseUrl);
  const counts = await createData(pool);
  const seconds: number[] = [];
  // The first evaluation has to read its data from disk, so it isn't counted.
  for (let round = -1; round < ROUNDS; round += 1) {
    const durationSeconds = await evaluate(pool, url);
    if (round >= 0) seconds.push(durationSeconds);
    process.stderr.write('.');
  }
  await pool.end();
  const [low, middle, high] = [Math.min(...seconds), median(seconds), Math.max(...seconds)].map((each) =>
    each.toFixed(2),
  );
  process.stdout.write(
    `\n\n${PROJECTS} projects with ${ALERT_KIND_NAMES.length} alerts each, ${counts} visit counts per day, Node ${process.version}\n` +
      `  evaluation of all alerts: ${middle} s (${low}–${high}), ${ROUNDS} rounds  goal ≤ ${GOAL_SECONDS} s\n\n`,
  );
} finally {
  stopServers();
  await postgres.stop();
}

/**
 * Creates projects, alerts, and a day of visit counts.
 *
 * @returns the number of visit counts
 */
async function createData(pool: Pool): Promise<number> {
  await pool.query(
    `WITH made AS (
       INSERT INTO projects (id, name) SELECT gen_random_uuid(), 'Shop ' || n FROM generate_series(1, $1::int) n RETURNING id
     )
     INSERT INTO alerts (id, project_id, kind, threshold, minimum, window_minutes, cooldown_minutes, recovery_minutes)
     SELECT gen_random_uuid(), made.id, k.* FROM made,
       unnest($2::text[], $3::float8[], $4::int[], $5::int[], $6::int[], $7::int[]) k`,
    [
      PROJECTS,
      ALERT_KIND_NAMES,
      ...(['threshold', 'minimum', 'window_minutes', 'cooldown_minutes', 'recovery_minutes'] as const).map((name) =>
        ALERT_KIND_NAMES.map((kind) => ALERT_KINDS[kind].defaults[name]),
      ),
    ],
  );
  // Create visits for the entire day that alerts use as a baseline, some time before it, and until now. When the alerts
  // are evaluated, all visits are in the past.
  const visitsSource = `(SELECT id, row_number() OVER (ORDER BY name) AS n FROM projects WHERE name LIKE 'Shop %') p,
    (SELECT id AS agent, row_number() OVER (ORDER BY id) AS place FROM agents ORDER BY id LIMIT ${AGENTS}) a,
    generate_series(date_bin('15 minutes', now(), 'epoch') - interval '27 hours', now(), '15 minutes') at`;
  const isSpoofed = `(p.n % ${SPOOFED_INTERVAL} = 0 AND a.place = 1)`;
  const { rowCount } = await pool.query(
    `INSERT INTO visit_counts (project_id, bucket, agent_id, agent_type, result, visits, last_at)
     SELECT p.id, at, agent, 'AI Data Scraper', CASE WHEN ${isSpoofed} THEN 'verification_failed' ELSE 'verified' END,
       20 + hashtext(at::text || agent) % 5, at FROM ${visitsSource}`,
  );
  await pool.query(
    `INSERT INTO visit_top_counts (project_id, bucket, dimension, value, visits)
     SELECT p.id, at, 'robots_agent', jsonb_build_array(agent, 'allowed', 'verified', 'served')::text, 20 FROM ${visitsSource}`,
  );
  await pool.query(
    `INSERT INTO visit_top_counts (project_id, bucket, dimension, value, visits)
     SELECT p.id, at, dimension, value, 5 FROM ${visitsSource},
       (VALUES ('referral', '["ChatGPT"]'), ('tools_result', '["answered"]')) d (dimension, value) WHERE a.place = 1`,
  );
  await pool.query('VACUUM ANALYZE');
  return rowCount!;
}

/**
 * Makes the console evaluate all alerts as if for the first time.
 *
 * @returns the duration in seconds
 */
async function evaluate(pool: Pool, url: string): Promise<number> {
  const before = await readEvaluations(url);
  await pool.query('TRUNCATE alert_evaluation, alert_events, alert_event_reads');
  for (const end = performance.now() + EVALUATION_TIMEOUT_MS; performance.now() < end; await sleep(POLL_MS)) {
    const now = await readEvaluations(url);
    if (now.count === before.count) continue;
    const { rows } = await pool.query<{ fired: number }>('SELECT count(*)::int AS fired FROM alert_events');
    if (rows[0]!.fired !== PROJECTS / SPOOFED_INTERVAL)
      throw new Error(`Unexpected number of fired alerts: ${rows[0]!.fired}`);
    return (now.seconds - before.seconds) / (now.count - before.count);
  }
  throw new Error('Alerts were not evaluated in time');
}

async function readEvaluations(url: string): Promise<{ count: number; seconds: number }> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const valueOf = (name: string): number =>
    Number(new RegExp(`^agent_traffic_console_alert_evaluation_seconds_${name}\\S* (\\S+)$`, 'm').exec(metrics)?.[1]);
  return { count: valueOf('count'), seconds: valueOf('sum') };
}
