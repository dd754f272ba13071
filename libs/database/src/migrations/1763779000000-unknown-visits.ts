import type { MigrationInterface, QueryRunner } from 'typeorm';

const DAY_MS = 86_400_000;
/** What is there of a visit in both tables. */
const COLUMNS = 'id, project_id, occurred_at, position, path, status, mcp_tool, kinds, document, form';
/** As `visits` has them, for visits: rows without a project are ids alone. */
const INDEXES = {
  timeline: 'project_id, occurred_at DESC, id DESC',
  position: 'project_id, position',
  path: 'project_id, left(path, 100) text_pattern_ops',
  status: ['project_id, status', 'status > 200'],
  mcp_tool: ['project_id, left(mcp_tool, 100)', 'mcp_tool IS NOT NULL'],
  kinds: ['project_id, occurred_at DESC, id DESC', 'kinds <> 1'],
};
const ONLY_AGENTS = 'only_agents';

/**
 * Visits of unknown visitors have partitions of their own. What is there stays in `visits`, until its retention is over.
 *
 * Statement by statement, without a transaction: each waits for readers while it holds no lock that one of them may wait
 * for, so none can block the other for good. Nothing is scanned but the partitions of days to come, which are empty.
 */
export class UnknownVisits1763779000000 implements MigrationInterface {
  name = 'UnknownVisits1763779000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // Written by ingest. Each visit has its id here, also that of an agent and one that is only counted, so that it is
    // stored once even if the visitor is found to be another one the next time. Such rows are ids alone: no query of a project
    // finds them.
    await runner.query(`
      CREATE TABLE IF NOT EXISTS unknown_visits (
        id uuid NOT NULL,
        project_id uuid,
        occurred_at timestamptz,
        position bigint,
        path text,
        status double precision,
        mcp_tool text,
        kinds smallint,
        document json,
        form integer,
        PRIMARY KEY (id)
      ) PARTITION BY RANGE (id)`);
    for (const [name, definition] of Object.entries(INDEXES)) {
      const [columns, condition = 'project_id IS NOT NULL'] = [definition].flat();
      await runner.query(
        `CREATE INDEX IF NOT EXISTS unknown_visits_${name} ON unknown_visits (${columns}) WHERE ${condition}`,
      );
    }
    // PostgreSQL leaves out the second part where a filter demands an agent: NULL and 'unknown_agent' don't pass it.
    await runner.query(
      view(`(
        SELECT id, project_id, occurred_at, position, agent_id, agent_type, operator, result, path, status, mcp_tool, kinds,
          document, form
        FROM visits
        UNION ALL
        SELECT id, project_id, occurred_at, position, NULL, NULL, NULL, 'unknown_agent', path, status, mcp_tool, kinds,
          document, form
        FROM unknown_visits
      ) all_visits WHERE project_id IS NOT NULL`),
    );
    // Partitions of days to come, and those that ingest makes from now on, are left out where a filter demands no agent.
    // Ids are up to an hour ahead, and ingest of the version before stores both kinds until it is replaced: it has until
    // the day after tomorrow.
    const today = await dayOfDatabase(runner);
    for (const name of await partitions(runner, `c.relname > 'visits_${compact(today + DAY_MS)}'`)) {
      const [{ mixed }] = await runner.query(`SELECT EXISTS (SELECT FROM ${name} WHERE agent_id IS NULL) AS mixed`);
      if (mixed || (await isOnlyAgents(runner, name))) continue;
      await runner.query(`ALTER TABLE ${name} ADD CONSTRAINT ${ONLY_AGENTS} CHECK (agent_id IS NOT NULL)`);
    }
    const [{ used }] = await runner.query(`SELECT EXISTS (SELECT FROM visits) AS used`);
    const since = used ? firstIdOf(today + 2 * DAY_MS) : '00000000-0000-0000-0000-000000000000';
    await runner.query(`UPDATE instance_settings SET unknown_visits_since = $1 WHERE unknown_visits_since IS NULL`, [
      since,
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of await partitions(runner, 'true')) {
      await runner.query(`ALTER TABLE ${name} DROP CONSTRAINT IF EXISTS ${ONLY_AGENTS}`);
    }
    await runner.query(view('visits'));
    await runner.query(
      `INSERT INTO visits (${COLUMNS}, result) SELECT ${COLUMNS}, 'unknown_agent' FROM unknown_visits
       WHERE project_id IS NOT NULL ON CONFLICT DO NOTHING`,
    );
    await runner.query(`DROP TABLE unknown_visits`);
  }
}

/** @param from where the columns of visits come from. */
const view = (from: string): string => `
  CREATE OR REPLACE VIEW visits_full AS
  SELECT id, project_id, occurred_at, position, agent_id, agent_type, operator, result, path, status, mcp_tool, kinds,
    CASE WHEN form IS NULL THEN document ->> 'client_address' ELSE document ->> 0 END AS client_address,
    CASE WHEN form IS NULL THEN document ELSE format(
      (SELECT template FROM visit_forms WHERE visit_forms.id = form),
      VARIADIC ARRAY[
        to_json(id)::text,
        to_json(project_id)::text,
        to_json(to_char(
          to_timestamp(('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000.0) AT TIME ZONE 'UTC',
          'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'
        ))::text,
        to_json(to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text,
        to_json(path)::text,
        status::text,
        to_json(mcp_tool)::text
      ] || ARRAY(SELECT value::text FROM json_array_elements(document))
    )::json END AS document
  FROM ${from}`;

/** Midnight, UTC, in milliseconds since the epoch. */
async function dayOfDatabase(runner: QueryRunner): Promise<number> {
  const [{ ms }] = await runner.query(`SELECT extract(epoch FROM now()) * 1000 AS ms`);
  return Math.floor(Number(ms) / DAY_MS) * DAY_MS;
}

const compact = (day: number): string => new Date(day).toISOString().slice(0, 10).replaceAll('-', '');

const firstIdOf = (time: number): string =>
  time
    .toString(16)
    .padStart(12, '0')
    .replace(/^(.{8})(.{4})$/, '$1-$2-0000-0000-000000000000');

/** In the order in which readers lock them. */
async function partitions(runner: QueryRunner, condition: string): Promise<string[]> {
  const rows: { name: string }[] = await runner.query(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'visits'::regclass AND ${condition} ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

async function isOnlyAgents(runner: QueryRunner, name: string): Promise<boolean> {
  const rows: unknown[] = await runner.query(
    `SELECT FROM pg_constraint WHERE conrelid = $1::regclass AND conname = '${ONLY_AGENTS}'`,
    [name],
  );
  return rows.length > 0;
}
