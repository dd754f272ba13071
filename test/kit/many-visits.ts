/** Visits by the million, made by the server itself: nothing of them goes over a connection. Runs as it is, unbuilt. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';

const DAY_MS = 86_400_000;
const AGENTS = 60;
const PAGES = 2_000;
const MCP_EVERY = 5_000;
/** As ingest bounds them in a quarter of an hour. */
const TOP_VALUES = 200;

export interface ManyVisits {
  projectId: string;
  visits: number;
  days: number;
  /** Milliseconds since the epoch; the last visit is just before. */
  until: number;
  onDay?: (done: number) => void;
}

/**
 * Fills the empty database of a running instance with visits evenly over days. Four in ten are people's, the others of
 * sixty agents, a few of which send most; about one in eighty fails verification, and one in 5,000 is a tool's call. Then
 * waits for the instance to sum up what it counts.
 */
export async function makeManyVisits(pool: Pool, options: ManyVisits): Promise<void> {
  const client = await pool.connect();
  try {
    const [{ name }] = (await client.query('SELECT current_database() AS name')).rows as [{ name: string }];
    if (!/test|bench/.test(name)) throw new Error(`${name} is not the database of a test`);
    await client.query(`SET synchronous_commit = off; SET statement_timeout = 0; SET jit = off; SELECT setseed(0.5)`);
    // Those of unknown visitors are kept as long as others.
    await client.query('UPDATE instance_settings SET unknown_retention_days = NULL');
    await makeForms(client);
    const perDay = Math.ceil(options.visits / options.days);
    const lastDay = Math.floor((options.until - 1) / DAY_MS);
    const share = (options.until - lastDay * DAY_MS) / DAY_MS;
    for (let back = options.days; back >= 0; back -= 1) {
      // The first day and the last one are a day together.
      const start = (lastDay - back) * DAY_MS;
      const from = back === options.days ? start + share * DAY_MS : start;
      const to = back === 0 ? options.until : start + DAY_MS;
      await makeDay(client, options, from, to, Math.round((perDay * (to - from)) / DAY_MS));
      options.onDay?.(options.days - back);
    }
    await count(client);
    await untilSummedUp(client);
    await client.query(`VACUUM ANALYZE`);
  } finally {
    client.release();
  }
}

async function makeDay(client: PoolClient, { projectId }: ManyVisits, from: number, to: number, visits: number) {
  const day = Math.floor(from / DAY_MS);
  const bound = (time: number): string =>
    time
      .toString(16)
      .padStart(12, '0')
      .replace(/^(.{8})/, '$1-') + '-7000-8000-000000000000';
  for (const [table, constraint, condition] of [
    ['visits', ', CONSTRAINT only_agents CHECK (agent_id IS NOT NULL)', ''],
    ['unknown_visits', '', ' WHERE project_id IS NOT NULL'],
  ] as const) {
    const name = `${table}_${new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')}`;
    if ((await client.query('SELECT to_regclass($1) AS found', [name])).rows[0].found !== null) continue;
    // As ingest makes them.
    await client.query(
      `CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL EXCLUDING INDEXES${constraint});
       CREATE INDEX ON ${name} (project_id, occurred_at, id)${condition};
       ALTER TABLE ${table} ATTACH PARTITION ${name}
         FOR VALUES FROM ('${bound(day * DAY_MS)}') TO ('${bound((day + 1) * DAY_MS)}')`,
    );
  }
  await client.query(
    `WITH drawn AS MATERIALIZED (
       SELECT i, floor($2::float8 + i * ($3::float8 - $2::float8) / $4)::bigint AS ms,
         CASE WHEN random() < 0.4 THEN NULL ELSE 1 + floor(${AGENTS} * random() ^ 3) END AS place,
         '/articles/' || floor(${PAGES} * random() ^ 2) || CASE WHEN random() < 0.3 THEN '?page=2' ELSE '' END AS path,
         (ARRAY[200, 200, 200, 200, 200, 200, 304, 301, 404, 500])[1 + floor(10 * random())::int] AS status,
         random() < 0.02 AS failed,
         '198.51.' || floor(100 + 20 * random()) || '.' || floor(1 + 250 * random()) AS address
       FROM generate_series(0, $4::int - 1) i
     ), made AS MATERIALIZED (
     SELECT id::uuid, $1::uuid AS project_id, to_timestamp(ms / 1000.0) AS occurred_at, ms * 1000 + i % 1000 AS position,
       agent_id, type, operator, f.result, path, status, CASE WHEN i % ${MCP_EVERY} = 0 THEN 'search' END AS mcp_tool,
       CASE WHEN i % ${MCP_EVERY} = 0 THEN 2 ELSE 1 END AS kinds, format(
         '["%s","GET","www.example.com","Mozilla/5.0 (compatible; %s/1.0)","*/*","gzip, deflate, br",12.5]',
         address, coalesce(token, 'Someone')
       )::json AS document, form
     FROM (
       SELECT *, CASE WHEN place IS NULL THEN 'unknown_agent' WHEN failed THEN 'verification_failed'
           WHEN place::int % 3 = 0 THEN 'not_verifiable' ELSE 'verified' END AS result,
         regexp_replace(lpad(to_hex(ms), 12, '0'), '^(.{8})', '\\1-') || '-7' ||
           regexp_replace(lpad(to_hex(i), 15, '0'), '^(...)(...)(.*)$', '\\1-8\\2-\\3') || '000' AS id
       FROM drawn
     ) v JOIN bench_forms f ON f.place = coalesce(v.place, 0) AND f.result = v.result
     ORDER BY i
     ), of_agents AS (
       INSERT INTO visits SELECT * FROM made WHERE agent_id IS NOT NULL
     ), ids AS (
       INSERT INTO unknown_visits (id) SELECT id FROM made WHERE agent_id IS NOT NULL
     )
     INSERT INTO unknown_visits
     SELECT id, project_id, occurred_at, position, path, status, mcp_tool, kinds, document, form
     FROM made WHERE agent_id IS NULL`,
    [projectId, from, to, visits],
  );
}

/** Every agent with every result, place 0 for people, as ingest would have recorded them. */
async function makeForms(client: PoolClient): Promise<void> {
  await client.query(
    `CREATE TEMPORARY TABLE bench_forms AS
     SELECT *, '{"id":%1$s,"project_id":%2$s,"received_at":%3$s,"occurred_at":%4$s,"client_address":%8$s,"visit":{"request_path":%5$s,"request_method":%9$s,"request_headers":{"host":%10$s,"user-agent":%11$s,"accept":%12$s,"accept-encoding":%13$s,"x-forwarded-for":%8$s},"response_status_code":%6$s,"response_duration_in_milliseconds":%14$s},"identification":' || json_build_object(
         'result', result, 'agent_id', agent_id, 'agent_token', token, 'agent_url', NULL, 'agent_type_name', type,
         'operator_name', operator, 'method', NULL, 'reason', 'no_agent', 'evidence', '{"steps":[]}'::json,
         'catalog_version', '0123456789abcdef'
       ) || '}' AS template, NULL::int AS form
     FROM (
       SELECT row_number() OVER (ORDER BY id) AS place, id AS agent_id, agent ->> 'token' AS token,
         agent ->> 'type' AS type, agent ->> 'operator' AS operator
       FROM (SELECT id, coalesce(own, bundled) AS agent FROM agents ORDER BY id LIMIT ${AGENTS}) a
       UNION ALL SELECT 0, NULL, NULL, NULL, NULL
     ) a, unnest(ARRAY['unknown_agent', 'verification_failed', 'not_verifiable', 'verified']) result`,
  );
  await client.query(
    `INSERT INTO visit_forms (digest, template, last_day)
     SELECT sha256(convert_to(template, 'UTF8')), template, 'infinity' FROM bench_forms`,
  );
  await client.query(`UPDATE bench_forms b SET form = f.id FROM visit_forms f WHERE f.template = b.template`);
  await client.query('ANALYZE bench_forms');
}

/** As ingest would have counted them. */
async function count(client: PoolClient): Promise<void> {
  await client.query(
    `INSERT INTO visit_counts
     SELECT project_id, date_bin('15 minutes', occurred_at, 'epoch'),
       coalesce(agent_id, '00000000-0000-0000-0000-000000000000'), coalesce(agent_type, ''), result, count(*),
       max(occurred_at)
     FROM visits_full GROUP BY 1, 2, 3, 4, 5 ORDER BY 2`,
  );
  await client.query(
    `INSERT INTO visit_top_counts
     SELECT project_id, bucket, dimension, CASE WHEN place <= ${TOP_VALUES} THEN value ELSE '' END, sum(visits)
     FROM (
       SELECT *, row_number() OVER (PARTITION BY project_id, bucket, dimension ORDER BY visits DESC, value) AS place
       FROM (
         SELECT project_id, date_bin('15 minutes', occurred_at, 'epoch') AS bucket, dimension, value, count(*) AS visits
         FROM visits_full, LATERAL (VALUES ('page', split_part(path, '?', 1)), ('status', status::text)) d (dimension, value)
         GROUP BY 1, 2, 3, 4
       ) r
     ) ranked GROUP BY 1, 2, 3, 4 ORDER BY 2`,
  );
  await client.query(
    `INSERT INTO visit_open_hours
     SELECT DISTINCT project_id, date_bin('1 hour', bucket, 'epoch'), '-infinity'::timestamptz FROM visit_counts`,
  );
}

/** The instance sums up what is over, once a minute. */
async function untilSummedUp(client: PoolClient): Promise<void> {
  for (;;) {
    const { rows } = await client.query(
      `SELECT (SELECT count(*) FROM visit_open_hours WHERE hour <= now() - interval '1 hour')
         + (SELECT count(*) FROM visit_open_days WHERE day <= now() - interval '1 day') AS open`,
    );
    if (Number(rows[0].open) === 0) return;
    await sleep(500);
  }
}
