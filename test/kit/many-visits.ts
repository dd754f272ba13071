/** Creates millions of visits inside PostgreSQL instead of sending them over a connection. Requires a build. */
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { Pool, PoolClient } from 'pg';
import { createDataSource } from '#libs/database';
import type * as VisitStore from '../../libs/visit-store/src/index.js';

const DAY_MS = 86_400_000;
const AGENT_COUNT = 60;
const PAGE_COUNT = 2_000;
/** Interval between visits that call the `search` tool. Nine times as many visits call one of the other tools. */
const SEARCH_CALL_INTERVAL = 5_000;
const OTHER_TOOL_COUNT = 20;
/** Number of user-agent groups among visits that may be automated. */
const USER_AGENT_GROUP_COUNT = 300;
const CHECKOUT_COUNT = 20_000;
/** Time for which visitors use the same networks, in milliseconds. */
const SESSION_MS = 180_000;
const ROBOTS_VERSION = '019a0000-0000-7000-8000-000000000001';
/** Ingest's limit on values per dimension and quarter-hour. */
const MAX_TOP_VALUES = 200;
/** Number of days to create at the same time. The pool must have at least this many connections. */
const DAY_CONCURRENCY = 2;

/** Constraints and indexes of the partitions that ingest would create. */
const PARTITION_TABLES = [
  { parent: 'visits', constraint: ', CONSTRAINT only_agents CHECK (agent_id IS NOT NULL)', condition: '' },
  { parent: 'unknown_visits', constraint: '', condition: ' WHERE project_id IS NOT NULL' },
];

interface ManyVisitsOptions {
  projectId: string;
  visits: number;
  days: number;
  /** Exclusive end of the range, in milliseconds since the Unix epoch. */
  until: number;
  onDay?: (done: number) => void;
}

/**
 * Fills a running instance's empty database with visits spread evenly over the days, and counts them as ingest does.
 *
 * - 40% come from people. Of these, 1 in 25 is referred by an assistant, and 1 in 8 may be automated.
 * - 60% come from 60 agents, and a few of them send most visits. Of these, 1 in 14 is a disallowed fetch.
 * - 1 in 80 fails verification, and 1 in 500 calls a tool.
 */
export async function createManyVisits(pool: Pool, options: ManyVisitsOptions): Promise<void> {
  const [{ name }] = (await pool.query('SELECT current_database() AS name')).rows as [{ name: string }];
  if (!/test|bench/.test(name)) throw new Error(`${name} is not a test database`);
  // Keep visits from unknown visitors for as long as all other visits.
  await pool.query('UPDATE instance_settings SET unknown_retention_days = NULL');
  await withClient(pool, createForms);
  const perDay = Math.ceil(options.visits / options.days);
  const lastDay = Math.floor((options.until - 1) / DAY_MS);
  const share = (options.until - lastDay * DAY_MS) / DAY_MS;
  const limit = pLimit(DAY_CONCURRENCY);
  await limit.map(
    Array.from({ length: options.days + 1 }, (_, back) => back),
    async (back) => {
      // The range starts and ends in the middle of a day. The partial days at both ends add up to one day.
      const start = (lastDay - back) * DAY_MS;
      const from = back === options.days ? start + share * DAY_MS : start;
      const to = back === 0 ? options.until : start + DAY_MS;
      const visits = Math.round((perDay * (to - from)) / DAY_MS);
      await withClient(pool, (client) => createDay(client, options, from, to, visits));
      options.onDay?.(back);
    },
  );
  await createCheckouts(pool, options);
  await pool.query('ANALYZE visit_counts, visit_top_counts, visit_open_hours');
  await rollUpCounts(pool.options.connectionString!);
  await withClient(pool, async (client) => {
    await client.query('DROP TABLE bench_forms, bench_groups');
    await client.query('VACUUM ANALYZE');
  });
}

async function withClient(pool: Pool, work: (client: PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(
      `SET synchronous_commit = off; SET statement_timeout = 0; SET jit = off; SET work_mem = '256MB'`,
    );
    await client.query(`SET maintenance_work_mem = '256MB'`);
    await work(client);
  } finally {
    client.release();
  }
}

/** @param day Days since the Unix epoch. */
const firstId = (day: number): string =>
  (day * DAY_MS)
    .toString(16)
    .padStart(12, '0')
    .replace(/^(.{8})/, '$1-') + '-7000-8000-000000000000';

async function createDay(
  client: PoolClient,
  { projectId }: ManyVisitsOptions,
  from: number,
  to: number,
  visits: number,
) {
  const day = Math.floor(from / DAY_MS);
  const compactDay = new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '');
  const partitions = PARTITION_TABLES.map((table) => ({ ...table, name: `${table.parent}_${compactDay}` }));
  const isNew = (await client.query('SELECT to_regclass($1) AS found', [partitions[0]!.name])).rows[0].found === null;
  if (isNew) {
    for (const { name, parent, constraint } of partitions) {
      await client.query(`CREATE TABLE ${name} (LIKE ${parent} INCLUDING ALL EXCLUDING INDEXES${constraint})`);
    }
  }
  await client.query('SELECT setseed($1)', [(day % 1_000) / 1_000]);
  await client.query(
    `WITH drawn AS MATERIALIZED (
       SELECT i, floor($2::float8 + i * ($3::float8 - $2::float8) / $4)::bigint AS ms,
         CASE WHEN random() < 0.4 THEN NULL ELSE 1 + floor(${AGENT_COUNT} * random() ^ 3) END AS place,
         CASE WHEN random() < 0.003 THEN '/robots.txt' ELSE
           '/articles/' || floor(${PAGE_COUNT} * random() ^ 2) || CASE WHEN random() < 0.3 THEN '?page=2' ELSE '' END
         END AS path, random() AS luck, 1 + floor(${USER_AGENT_GROUP_COUNT} * random() ^ 2) AS group_place,
         CASE WHEN i % ${SEARCH_CALL_INTERVAL} = 0 THEN 'search'
           WHEN i % ${SEARCH_CALL_INTERVAL / 10} = 0 THEN 'tool-' || floor(${OTHER_TOOL_COUNT} * random())
         END AS mcp_tool,
         (ARRAY[200, 200, 200, 200, 200, 200, 304, 301, 404, 500])[1 + floor(10 * random())::int] AS status,
         random() < 0.02 AS failed, (ARRAY['ChatGPT', 'Perplexity', 'Gemini', 'Claude', 'Copilot'])[
           floor(125 * random())::int - 119
         ] AS assistant,
         '198.' || floor(($2::float8 + i * ($3::float8 - $2::float8) / $4) / ${SESSION_MS})::bigint % 256 || '.' ||
           floor(100 + 20 * random()) || '.' || floor(1 + 250 * random()) AS address
       FROM generate_series(0, $4::int - 1) i
     ), made AS MATERIALIZED (
     SELECT id::uuid, $1::uuid AS project_id, to_timestamp(ms / 1000.0) AS occurred_at, ms * 1000 + i % 1000 AS position,
       agent_id, type, operator, f.result, path, status, mcp_tool,
       floor(100000 * random()) AS response_bytes, floor(200000 * random()) AS response_us,
       CASE WHEN mcp_tool IS NULL THEN 1 ELSE 2 END AS kinds, format(
         '["%s","GET","www.example.com","Mozilla/5.0 (compatible; %s/1.0)","*/*","gzip, deflate, br",12.5]',
         address, coalesce(token, 'Someone')
       )::json AS document, form, assistant,
       CASE WHEN agent_id IS NOT NULL THEN CASE WHEN luck < 0.9 THEN 1 WHEN luck < 0.97 THEN 2 ELSE 5 END END AS robots,
       CASE WHEN luck < 0.1 THEN 1 WHEN luck < 0.12 THEN 2 ELSE 3 END AS automation,
       CASE WHEN luck < 0.12 THEN g.number END AS user_agent_group
     FROM (
       SELECT *, CASE WHEN place IS NULL THEN 'unknown_agent' WHEN failed THEN 'verification_failed'
           WHEN place::int % 3 = 0 THEN 'not_verifiable' ELSE 'verified' END AS result,
         regexp_replace(lpad(to_hex(ms), 12, '0'), '^(.{8})', '\\1-') || '-7' ||
           regexp_replace(lpad(to_hex(i), 15, '0'), '^(...)(...)(.*)$', '\\1-8\\2-\\3') || '000' AS id
       FROM drawn
     ) v JOIN bench_forms f ON f.place = coalesce(v.place, 0) AND f.result = v.result
       JOIN bench_groups g ON g.place = v.group_place
     ORDER BY i
     ), of_agents AS (
       INSERT INTO visits_${compactDay} (
         id, project_id, occurred_at, position, agent_id, agent_type, operator, result, path, status, mcp_tool, kinds,
         document, form, robots, response_bytes, response_us
       )
       SELECT id, project_id, occurred_at, position, agent_id, type, operator, result, path, status, mcp_tool, kinds,
         document, form, robots, response_bytes, response_us
       FROM made WHERE agent_id IS NOT NULL
     ), ids AS (
       INSERT INTO unknown_visits_${compactDay} (id) SELECT id FROM made WHERE agent_id IS NOT NULL
     )
     INSERT INTO unknown_visits_${compactDay} (
       id, project_id, occurred_at, position, path, status, mcp_tool, kinds, document, form, assistant,
       automation, user_agent_group, response_bytes, response_us
     )
     SELECT id, project_id, occurred_at, position, path, status, mcp_tool, kinds, document, form, assistant, automation,
       user_agent_group, response_bytes, response_us
     FROM made WHERE agent_id IS NULL`,
    [projectId, from, to, visits],
  );
  if (isNew) {
    // Same indexes as ingest's. Creating them after inserting the rows is faster.
    for (const { name, parent, condition } of partitions) {
      await client.query(
        `CREATE INDEX ON ${name} (project_id, occurred_at, id)${condition};
         ALTER TABLE ${parent} ATTACH PARTITION ${name}
           FOR VALUES FROM ('${firstId(day)}') TO ('${firstId(day + 1)}')`,
      );
    }
  }
  await countVisits(client, day);
}

/** Creates the visit forms that ingest would have stored: each agent with each result. Place 0 represents people. */
async function createForms(client: PoolClient): Promise<void> {
  await client.query(
    `CREATE UNLOGGED TABLE bench_forms AS
     SELECT *, '{"id":%1$s,"project_id":%2$s,"received_at":%3$s,"occurred_at":%4$s,"client_address":%8$s,"visit":{"request_path":%5$s,"request_method":%9$s,"request_headers":{"host":%10$s,"user-agent":%11$s,"accept":%12$s,"accept-encoding":%13$s,"x-forwarded-for":%8$s},"response_status_code":%6$s,"response_duration_in_milliseconds":%14$s},"identification":' || json_build_object(
         'result', result, 'agent_id', agent_id, 'agent_token', token, 'agent_url', NULL, 'agent_type_name', type,
         'operator_name', operator, 'method', NULL, 'reason', 'no_agent', 'evidence', '{"steps":[]}'::json,
         'catalog_version', '0123456789abcdef'
       ) || '}' AS template, NULL::int AS form
     FROM (
       SELECT row_number() OVER (ORDER BY id) AS place, id AS agent_id, agent ->> 'token' AS token,
         agent ->> 'type' AS type, agent ->> 'operator' AS operator
       FROM (SELECT id, record AS agent FROM agents ORDER BY id LIMIT ${AGENT_COUNT}) a
       UNION ALL SELECT 0, NULL, NULL, NULL, NULL
     ) a, unnest(ARRAY['unknown_agent', 'verification_failed', 'not_verifiable', 'verified']) result`,
  );
  await client.query(
    `INSERT INTO visit_forms (digest, template, last_day)
     SELECT sha256(convert_to(template, 'UTF8')), template, 'infinity' FROM bench_forms`,
  );
  await client.query(`UPDATE bench_forms b SET form = f.id FROM visit_forms f WHERE f.template = b.template`);
  await client.query(
    `CREATE UNLOGGED TABLE bench_groups AS
     SELECT place, name, ('x' || left(encode(sha256(name::bytea), 'hex'), 8))::bit(32)::int AS number
     FROM (SELECT i AS place, 'Harvester' || chr(97 + i % 26) || i || '/*' AS name
       FROM generate_series(1, ${USER_AGENT_GROUP_COUNT}) i) named`,
  );
  await client.query('ANALYZE bench_forms, bench_groups');
}

/** Creates checkouts without visits, because reports only read the checkouts. */
async function createCheckouts(pool: Pool, { projectId, days, until }: ManyVisitsOptions): Promise<void> {
  await pool.query(
    `INSERT INTO checkouts (project_id, id, protocol, state, currency, total, agent_id, is_spoofed, first_at, last_at)
     SELECT $1, gen_random_uuid(), CASE WHEN i % 3 = 0 THEN 'ucp' ELSE 'acp' END,
       (ARRAY['completed', 'canceled', 'ready_for_payment', 'not_ready_for_payment'])[1 + i % 4],
       CASE WHEN i % 5 = 0 THEN 'EUR' ELSE 'USD' END, i % 9000, NULL, false, at, at
     FROM generate_series(1, ${CHECKOUT_COUNT}) i,
       LATERAL (SELECT to_timestamp($2::float8 / 1000) - i * make_interval(days => $3) / ${CHECKOUT_COUNT} AS at) t`,
    [projectId, until, days],
  );
}

/** Counts a day's visits as ingest does. */
async function countVisits(client: PoolClient, day: number): Promise<void> {
  const visits = `(SELECT * FROM visits_full WHERE id >= '${firstId(day)}' AND id < '${firstId(day + 1)}') of_day`;
  await client.query(
    `INSERT INTO visit_counts
     SELECT project_id, date_bin('15 minutes', occurred_at, 'epoch'),
       coalesce(agent_id, '00000000-0000-0000-0000-000000000000'), coalesce(agent_type, ''), result, count(*),
       max(occurred_at)
     FROM ${visits} GROUP BY 1, 2, 3, 4, 5 ORDER BY 2`,
  );
  await client.query(
    `INSERT INTO visit_top_counts
     SELECT project_id, bucket, dimension, CASE WHEN place <= ${MAX_TOP_VALUES} THEN value ELSE '' END, sum(visits)
     FROM (
       SELECT *, row_number() OVER (PARTITION BY project_id, bucket, dimension ORDER BY visits DESC, value) AS place
       FROM (
         SELECT project_id, date_bin('15 minutes', occurred_at, 'epoch') AS bucket, dimension, value, count(*) AS visits
         FROM ${visits}, LATERAL (VALUES ('page', split_part(path, '?', 1)), ('status', status::text)) d (name, value),
           LATERAL (SELECT CASE WHEN agent_id IS NULL THEN name ELSE 'agent_' || name END AS dimension) whose
         GROUP BY 1, 2, 3, 4
       ) r
     ) ranked GROUP BY 1, 2, 3, 4 ORDER BY 2`,
  );
  // These dimensions have fewer different values than ingest's limit, so each value can be counted individually.
  await client.query(
    `INSERT INTO visit_top_counts
     SELECT project_id, date_bin('15 minutes', occurred_at, 'epoch') AS bucket, dimension, value, count(*)
     FROM ${visits} LEFT JOIN bench_groups g ON g.number = user_agent_group, LATERAL (
       SELECT CASE WHEN status < 400 THEN 'served' ELSE 'failed' END AS outcome, split_part(path, '?', 1) AS page,
         CASE robots WHEN 1 THEN 'allowed' WHEN 2 THEN 'disallowed' ELSE 'unknown' END AS verdict,
         CASE WHEN result <> 'verification_failed' THEN agent_id::text END AS agent
     ) what, LATERAL (VALUES
       ('crawl', CASE WHEN status < 400 THEN agent END),
       ('robots_agent', '["' || agent_id || '","' || verdict || '","' || result || '","' || outcome || '"]'),
       ('robots_page', CASE WHEN robots = 2 THEN '["' || agent || '","' || page || '"]' END),
       ('robots_line', CASE WHEN robots = 2 THEN '["' || agent || '","${ROBOTS_VERSION}","' || 2 + status::int % 5 || '"]' END),
       ('robots_fetch', CASE WHEN path = '/robots.txt' THEN agent END),
       ('agent_file', CASE WHEN path = '/robots.txt' THEN
         '["' || agent || '","' || CASE outcome WHEN 'served' THEN 'file' ELSE 'error' END || '","' || path || '"]' END),
       ('unlisted', CASE WHEN automation < 3 THEN
         '["' || CASE automation WHEN 1 THEN 'likely' ELSE 'unclear' END || '","' || g.name || '","not_a_browser"]' END),
       ('tools_kind', CASE WHEN mcp_tool IS NOT NULL THEN '["mcp"]' END),
       ('tools_result', CASE WHEN mcp_tool IS NOT NULL THEN CASE outcome WHEN 'served' THEN '["answered"]' ELSE '["failed"]' END END),
       ('tools_call', '["' || mcp_tool || '","' || CASE outcome WHEN 'served' THEN '' ELSE 'http ' || status END || '"]'),
       ('tools_caller', '["' || mcp_tool || '","' || coalesce(agent_id::text, '') || '"]'),
       ('tools_client', '["' || mcp_tool || '","client-' || status || '","1.' || status::int % 10 || '"]'),
       ('tools_duration', '["' || mcp_tool || '","' || 10 + status::int % 40 || '"]'),
       ('referral', '["' || assistant || '","' || assistant || '"]'),
       ('referral_page', '["' || assistant || '","' || page || '"]')
     ) d (dimension, value)
     WHERE value IS NOT NULL GROUP BY 1, 2, 3, 4 ORDER BY 2`,
  );
  await client.query(
    `INSERT INTO visit_open_hours
     SELECT DISTINCT project_id, date_bin('1 hour', occurred_at, 'epoch'), '-infinity'::timestamptz FROM ${visits}`,
  );
}

/** Rolls up all counts immediately. The instance would do so within a minute. */
async function rollUpCounts(url: string): Promise<void> {
  const { CountRollupsRepository: CountSumsRepository } = (await import(
    join(import.meta.dirname, '../../dist/libs/visit-store/src/index.js')
  )) as typeof VisitStore;
  const dataSource = await createDataSource({ url, poolSize: 2 }).initialize();
  const [sums, now] = [new CountSumsRepository(dataSource), new Date()];
  for (const day of await sums.due(now, 0)) await sums.rollUp(day, now);
  await dataSource.destroy();
}
