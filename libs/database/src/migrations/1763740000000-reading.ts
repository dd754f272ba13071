import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What charts and lists of the dashboard are read from, however many visits there are; removed projects. */
export class Reading1763740000000 implements MigrationInterface {
  name = 'Reading1763740000000';

  async up(runner: QueryRunner): Promise<void> {
    // When the newest of the counted visits occurred; for those counted before, the bucket is all that is known.
    await runner.query(`ALTER TABLE visit_counts ADD COLUMN last_at timestamptz NOT NULL DEFAULT '-infinity'`);
    await runner.query(`UPDATE visit_counts SET last_at = bucket`);
    // Hours with visits that the sums below don't hold yet, and days; everything else they hold. Marked by ingest with
    // the visits, and taken away with the sums that it makes from time to time.
    await runner.query(`
      CREATE TABLE visit_open_hours (
        project_id uuid NOT NULL,
        hour timestamptz NOT NULL,
        since timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (project_id, hour)
      )`);
    await runner.query(`
      CREATE TABLE visit_open_days (project_id uuid NOT NULL, day timestamptz NOT NULL, PRIMARY KEY (project_id, day))`);
    await runner.query(`
      INSERT INTO visit_open_hours (project_id, hour)
      SELECT DISTINCT project_id, date_bin('1 hour', bucket, 'epoch') FROM visit_counts`);
    // By hour for charts over time, also by type alone; by day (UTC) for what needs no finer ones. Where a range or a
    // time zone cuts an hour or a day, the shorter ones fill in.
    await runner.query(`CREATE TABLE visit_hour_counts (LIKE visit_counts INCLUDING ALL)`);
    await runner.query(`CREATE TABLE visit_day_counts (LIKE visit_counts INCLUDING ALL)`);
    await runner.query(`CREATE TABLE visit_day_top_counts (LIKE visit_top_counts INCLUDING ALL)`);
    await runner.query(`
      CREATE TABLE visit_hour_type_counts (
        project_id uuid NOT NULL,
        bucket timestamptz NOT NULL,
        agent_type text NOT NULL,
        result text NOT NULL,
        visits bigint NOT NULL,
        PRIMARY KEY (project_id, bucket, agent_type, result)
      )`);

    // A rare agent's visits are found among millions, and so are those that failed verification.
    await runner.query(`
      CREATE INDEX visits_agent ON visits (project_id, agent_id, occurred_at DESC, id DESC) WHERE agent_id IS NOT NULL`);
    await runner.query(`
      CREATE INDEX visits_failed ON visits (project_id, occurred_at DESC, id DESC)
      WHERE result = 'verification_failed'`);

    // What may be rare, so that the newest of them are not looked for among all visits. Those without the time are
    // small, since equal keys are stored once: few visits are sorted, and many are found in the timeline.
    await runner.query(`CREATE INDEX visits_path ON visits (project_id, left(path, 100) text_pattern_ops)`);
    await runner.query(`CREATE INDEX visits_type ON visits (project_id, agent_type) WHERE agent_type IS NOT NULL`);
    await runner.query(`CREATE INDEX visits_operator ON visits (project_id, operator) WHERE operator IS NOT NULL`);
    await runner.query(`CREATE INDEX visits_status ON visits (project_id, status) WHERE status > 200`);
    // Callers name the tool, at any length.
    await runner.query(`
      CREATE INDEX visits_mcp_tool ON visits (project_id, left(mcp_tool, 100)) WHERE mcp_tool IS NOT NULL`);
    // Others than those of pages.
    await runner.query(`
      CREATE INDEX visits_kinds ON visits (project_id, occurred_at DESC, id DESC) WHERE kinds <> 1`);

    // Written by console: projects whose visits and counts are still to be removed.
    await runner.query(`
      CREATE TABLE removed_projects (project_id uuid PRIMARY KEY, removed_at timestamptz NOT NULL DEFAULT now())`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const index of ['kinds', 'mcp_tool', 'status', 'operator', 'type', 'path', 'failed', 'agent']) {
      await runner.query(`DROP INDEX visits_${index}`);
    }
    for (const table of [
      'removed_projects',
      'visit_hour_type_counts',
      'visit_day_top_counts',
      'visit_day_counts',
      'visit_hour_counts',
      'visit_open_days',
      'visit_open_hours',
    ]) {
      await runner.query(`DROP TABLE ${table}`);
    }
    await runner.query(`ALTER TABLE visit_counts DROP COLUMN last_at`);
  }
}
