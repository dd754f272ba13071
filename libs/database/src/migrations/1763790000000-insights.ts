import type { MigrationInterface, QueryRunner } from 'typeorm';

type Table = 'visits' | 'unknown_visits';

/** Few visits have what these hold. */
const INDEXES: readonly { name: string; table: Table; condition: string }[] = [
  { name: 'visits_disallowed', table: 'visits', condition: 'robots = 2' },
  { name: 'unknown_visits_automation', table: 'unknown_visits', condition: 'automation < 3' },
  { name: 'unknown_visits_assistant', table: 'unknown_visits', condition: 'assistant IS NOT NULL' },
];

/**
 * What a visit means beside who it was: what robots.txt said, which assistant sent the visitor, and whether a program made
 * it; and counts by dimensions of reports. Visits that are there have none of it.
 *
 * Statement by statement, without a transaction: a lock on everything at once would wait for every reader.
 */
export class Insights1763790000000 implements MigrationInterface {
  name = 'Insights1763790000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE visits ADD COLUMN IF NOT EXISTS robots smallint`);
    await runner.query(`
      ALTER TABLE unknown_visits ADD COLUMN IF NOT EXISTS automation smallint, ADD COLUMN IF NOT EXISTS assistant text`);
    await runner.query(visitsFull(INSIGHTS));
    // New partitions get them with the table's; those that are there one after the other, each a fraction of a second.
    for (const { name, table, condition } of INDEXES) {
      await runner.query(
        `CREATE INDEX IF NOT EXISTS ${name} ON ONLY ${table} (project_id, occurred_at DESC, id DESC) WHERE ${condition}`,
      );
      for (const partition of await partitionsWithout(runner, table, name)) {
        const index = `${partition}_${name.replace(`${table}_`, '')}`;
        await runner.query(
          `CREATE INDEX IF NOT EXISTS ${index} ON ${partition} (project_id, occurred_at DESC, id DESC) WHERE ${condition}`,
        );
        await runner.query(`ALTER INDEX ${name} ATTACH PARTITION ${index}`);
      }
    }
    // Over time a report reads its own counts alone.
    await runner.query(`
      CREATE INDEX IF NOT EXISTS visit_top_counts_dimension ON visit_top_counts (project_id, dimension, bucket)
      WHERE dimension NOT IN ('page', 'agent_page', 'status', 'agent_status')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX IF EXISTS visit_top_counts_dimension`);
    for (const { name } of INDEXES) await runner.query(`DROP INDEX IF EXISTS ${name}`);
    for (const table of ['visit_top_counts', 'visit_day_top_counts']) {
      await runner.query(
        `DELETE FROM ${table} WHERE dimension NOT IN ('page', 'agent_page', 'status', 'agent_status')`,
      );
    }
    await runner.query(`DROP VIEW IF EXISTS visits_full`);
    await runner.query(visitsFull([]));
    await runner.query(`ALTER TABLE visits DROP COLUMN IF EXISTS robots`);
    await runner.query(`ALTER TABLE unknown_visits DROP COLUMN IF EXISTS automation, DROP COLUMN IF EXISTS assistant`);
  }
}

/** Partitions whose index is not part of the table's. */
export async function partitionsWithout(runner: QueryRunner, table: Table, index: string): Promise<string[]> {
  const rows: { name: string }[] = await runner.query(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = '${table}'::regclass AND NOT EXISTS (
       SELECT FROM pg_inherits attached JOIN pg_index x ON x.indexrelid = attached.inhrelid
       WHERE attached.inhparent = '${index}'::regclass AND x.indrelid = c.oid
     ) ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

/** Further columns of the view, each of a table alone, with the value that the other's visits have. */
type FurtherColumn = readonly [column: string, ofAgents: string, ofUnknown: string];

export const INSIGHTS: readonly FurtherColumn[] = [
  ['robots', 'robots', 'NULL::smallint'],
  ['automation', 'NULL::smallint', 'automation'],
  ['assistant', 'NULL::text', 'assistant'],
];

/** SQL of the view `visits_full`, with these columns behind the others. */
export const visitsFull = (further: readonly FurtherColumn[]): string => {
  const all = further.map(([column]) => `, ${column}`).join('');
  const ofAgents = further.map(([column, value]) => `, ${value} AS ${column}`).join('');
  const ofUnknown = further.map(([, , value]) => `, ${value}`).join('');
  return `
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
    )::json END AS document${all}
  FROM (
    SELECT id, project_id, occurred_at, position, agent_id, agent_type, operator, result, path, status, mcp_tool, kinds,
      document, form${ofAgents}
    FROM visits
    UNION ALL
    SELECT id, project_id, occurred_at, position, NULL, NULL, NULL, 'unknown_agent', path, status, mcp_tool, kinds,
      document, form${ofUnknown}
    FROM unknown_visits
  ) all_visits WHERE project_id IS NOT NULL`;
};
