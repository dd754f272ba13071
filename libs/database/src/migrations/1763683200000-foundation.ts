import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Projects and their keys, visits by day, counts, dead letters. PostgreSQL 15 and later. */
export class Foundation1763683200000 implements MigrationInterface {
  name = 'Foundation1763683200000';

  async up(runner: QueryRunner): Promise<void> {
    // Written by console, read by gateway and enrichment.
    await runner.query(`
      CREATE TABLE projects (
        id uuid PRIMARY KEY,
        name text NOT NULL,
        site_address text,
        host_names text[] NOT NULL DEFAULT '{}',
        time_zone text NOT NULL DEFAULT 'UTC',
        trusted_proxies jsonb NOT NULL DEFAULT '{}',
        redacted_headers text[] NOT NULL DEFAULT '{}',
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    // A token is found by its SHA-256; its value is kept encrypted, because the settings page shows it.
    await runner.query(`
      CREATE TABLE access_tokens (
        id uuid PRIMARY KEY,
        project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
        name text NOT NULL,
        hash bytea NOT NULL UNIQUE,
        encrypted bytea NOT NULL,
        hint text NOT NULL,
        from_environment boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL DEFAULT now(),
        revoked_at timestamptz
      )`);
    await runner.query(`CREATE INDEX access_tokens_project ON access_tokens (project_id)`);
    await runner.query(`
      CREATE TABLE api_keys (
        id uuid PRIMARY KEY,
        name text NOT NULL,
        hash bytea NOT NULL UNIQUE,
        admin boolean NOT NULL,
        project_ids uuid[] NOT NULL DEFAULT '{}',
        from_environment boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL DEFAULT now(),
        revoked_at timestamptz
      )`);

    // Written by gateway.
    await runner.query(`
      CREATE TABLE idempotency_keys (
        project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
        key_hash bytea NOT NULL,
        body_hash bytea NOT NULL,
        batch_id uuid NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (project_id, key_hash)
      )`);
    await runner.query(`CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at)`);

    // Written by ingest. Partitions by day, over the time in the id (UUIDv7), are made by PartitionRepository.
    await runner.query(`
      CREATE TABLE visits (
        id uuid NOT NULL,
        project_id uuid NOT NULL,
        occurred_at timestamptz NOT NULL,
        position bigint NOT NULL,
        agent_id uuid,
        agent_type text,
        operator text,
        result text NOT NULL,
        path text NOT NULL,
        status double precision,
        mcp_tool text,
        kinds smallint NOT NULL,
        document json NOT NULL,
        PRIMARY KEY (id)
      ) PARTITION BY RANGE (id)`);
    await runner.query(`CREATE INDEX visits_timeline ON visits (project_id, occurred_at DESC, id DESC)`);
    await runner.query(`CREATE INDEX visits_position ON visits (project_id, position)`);
    // The row lock on a project's position puts its visits in commit order, so that a stream resumes without a gap.
    await runner.query(`
      CREATE TABLE visit_positions (project_id uuid PRIMARY KEY, position bigint NOT NULL)`);
    // Buckets of 15 minutes fit every time zone in use. The nil UUID and '' stand for "no agent".
    await runner.query(`
      CREATE TABLE visit_counts (
        project_id uuid NOT NULL,
        bucket timestamptz NOT NULL,
        agent_id uuid NOT NULL,
        agent_type text NOT NULL,
        result text NOT NULL,
        visits bigint NOT NULL,
        PRIMARY KEY (project_id, bucket, agent_id, agent_type, result)
      )`);
    await runner.query(`
      CREATE TABLE visit_top_counts (
        project_id uuid NOT NULL,
        bucket timestamptz NOT NULL,
        dimension text NOT NULL,
        value text NOT NULL,
        visits bigint NOT NULL,
        PRIMARY KEY (project_id, bucket, dimension, value)
      )`);
    // Inserted by ingest; console marks what was replayed.
    await runner.query(`
      CREATE TABLE dead_letters (
        id uuid PRIMARY KEY,
        project_id uuid,
        topic text NOT NULL,
        key text,
        value bytea NOT NULL,
        headers jsonb NOT NULL,
        reason text NOT NULL,
        detail text NOT NULL,
        step text NOT NULL,
        partition integer,
        "offset" text,
        failed_at timestamptz NOT NULL,
        replayed_at timestamptz
      )`);
    await runner.query(`CREATE INDEX dead_letters_newest ON dead_letters (failed_at DESC, id DESC)`);
    await runner.query(`CREATE INDEX dead_letters_project ON dead_letters (project_id, failed_at DESC, id DESC)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of [
      'dead_letters',
      'visit_top_counts',
      'visit_counts',
      'visit_positions',
      'visits',
      'idempotency_keys',
      'api_keys',
      'access_tokens',
      'projects',
    ]) {
      await runner.query(`DROP TABLE ${table}`);
    }
  }
}
