import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What visits have in common is stored once. Visits that are there stay as they are, with the whole document and without
 * a form, until their retention is over.
 */
export class VisitForms1763776000000 implements MigrationInterface {
  name = 'VisitForms1763776000000';

  async up(runner: QueryRunner): Promise<void> {
    // Written by ingest, which deletes a form when the retention of its last visits is over.
    await runner.query(`
      CREATE TABLE visit_forms (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        digest bytea NOT NULL UNIQUE,
        template text NOT NULL,
        last_day date NOT NULL
      )`);
    // With a form, the document is an array of values, the client address first.
    await runner.query(`ALTER TABLE visits ADD COLUMN form integer`);
    await runner.query(`
      CREATE VIEW visits_full AS
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
      FROM visits`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE visits v SET document = f.document FROM visits_full f WHERE f.id = v.id AND v.form IS NOT NULL`);
    await runner.query(`DROP VIEW visits_full`);
    await runner.query(`ALTER TABLE visits DROP COLUMN form`);
    await runner.query(`DROP TABLE visit_forms`);
  }
}
