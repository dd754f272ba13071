import type { MigrationInterface, QueryRunner } from 'typeorm';
import { auditTable, unauditTable, type AuditedTable } from './audited-table.js';

// What has expired is cleared away.
const UNEXPIRED = { delete: 'OLD.expires_at > now()' };

const TABLES: readonly AuditedTable[] = [
  {
    table: 'projects',
    subject: 'project',
    project: 'id',
    keeps: [
      'name',
      'site_address',
      'host_names',
      'time_zone',
      'trusted_proxies',
      'redacted_headers',
      'unredacted_headers',
      'unknown_visitors',
      'is_demo',
    ],
  },
  {
    table: 'access_tokens',
    subject: 'access_token',
    project: 'project_id',
    keeps: ['name', 'hint', 'from_environment', 'revoked_at'],
  },
  {
    table: 'api_keys',
    subject: 'api_key',
    keeps: ['name', 'admin', 'project_ids', 'is_read_only', 'acts_as', 'from_environment', 'revoked_at'],
  },
  { table: 'users', subject: 'user', keeps: ['email', 'name', 'is_admin', 'email_verified'] },
  { table: 'user_logins', subject: 'login', keeps: ['user_id', 'provider'], hides: ['password'] },
  {
    table: 'user_sessions',
    subject: 'session',
    keeps: ['user_id', 'address', 'user_agent'],
    when: { update: false, ...UNEXPIRED },
  },
  { table: 'setup_code', subject: 'setup_code', id: null, keeps: ['expires_at'], when: UNEXPIRED },
  { table: 'project_members', subject: 'member', id: 'user_id', project: 'project_id', keeps: ['user_id', 'role'] },
  {
    table: 'project_invitations',
    subject: 'invitation',
    project: 'project_id',
    keeps: ['role', 'expires_at'],
    when: UNEXPIRED,
  },
  {
    table: 'password_resets',
    subject: 'password_reset',
    id: 'user_id',
    keeps: ['user_id', 'expires_at'],
    when: UNEXPIRED,
  },
  {
    table: 'shared_links',
    subject: 'shared_link',
    project: 'project_id',
    keeps: ['name', 'expires_at'],
    hides: ['password'],
  },
  { table: 'saved_filters', subject: 'saved_filter', project: 'project_id', keeps: ['name', 'page', 'search'] },
  { table: 'chart_notes', subject: 'chart_note', project: 'project_id', keeps: ['day', 'text'] },
  {
    table: 'dismissed_user_agents',
    subject: 'dismissed_user_agent',
    project: 'project_id',
    keeps: ['user_agent_group'],
  },
  {
    table: 'drain_settings',
    subject: 'drain_settings',
    project: 'id',
    keeps: ['allows_token_in_url', 'leaves_out_static_files', 'mapping', 'fastly_service_ids'],
    hides: ['vercel_verify', 'vercel_secret'],
  },
  // Old versions go when there are many.
  {
    table: 'rules_versions',
    subject: 'rules_version',
    project: 'project_id',
    keeps: ['selection'],
    when: { delete: false },
  },
  // The others are what was fetched.
  {
    table: 'robots_versions',
    subject: 'robots_version',
    project: 'project_id',
    keeps: ['host', 'served_from', 'status', 'is_recorded'],
    when: { insert: 'NEW.is_recorded', update: 'NEW.is_recorded', delete: false },
  },
  {
    table: 'reidentifications',
    subject: 'reidentification',
    project: 'project_id',
    keeps: ['range_from', 'range_to', 'agent_token', 'state', 'is_paused'],
  },
  {
    table: 'dead_letters',
    subject: 'dead_letter',
    project: 'project_id',
    keeps: ['replayed_at'],
    when: { insert: false, delete: false },
  },
  {
    table: 'test_visits',
    subject: 'test_visit',
    project: 'project_id',
    keeps: ['started_at'],
    when: { update: false, delete: false },
  },
  {
    table: 'agents',
    subject: 'agent',
    keeps: ['own'],
    // Of the release's own agents nothing is entered. What was accepted from a feed goes with it, or is removed.
    when: { insert: 'NEW.own IS NOT NULL', delete: 'OLD.own IS NOT NULL OR OLD.feed IS NOT NULL' },
  },
  {
    table: 'assistants',
    subject: 'assistant',
    keeps: ['own'],
    when: { insert: 'NEW.own IS NOT NULL', delete: 'OLD.own IS NOT NULL' },
  },
  {
    table: 'agent_feeds',
    subject: 'agent_feed',
    keeps: ['name', 'url', 'public_key', 'accepts_all'],
    // A file, which may be large.
    hides: ['document'],
  },
  {
    table: 'instance_settings',
    subject: 'settings',
    id: null,
    keeps: ['retention_days', 'unknown_retention_days', 'configured_retention_days', 'audit_retention_days'],
    when: { insert: false },
  },
];

/**
 * The audit log. Triggers write it, in the transaction of each change; `acting.ts` tells them who makes it. Entries can be
 * added only. They are deleted once their own retention is over.
 */
export class AuditLog1763803000000 implements MigrationInterface {
  name = 'AuditLog1763803000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE instance_settings
        ADD COLUMN audit_retention_days integer NOT NULL DEFAULT 365 CHECK (audit_retention_days >= 30)`);
    await runner.query(`
      CREATE TABLE audit_entries (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        occurred_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        -- Without a reference, as everything here: entries outlive what they are about.
        project_id uuid,
        actor_type text NOT NULL,
        actor_id text,
        actor_name text,
        address text,
        via text,
        request_id text,
        operation text,
        change text NOT NULL CHECK (change IN ('created', 'changed', 'removed', 'revealed', 'done')),
        subject_type text NOT NULL,
        subject_id text,
        subject_name text,
        before jsonb,
        after jsonb
      )`);
    await runner.query(`CREATE INDEX audit_entries_time ON audit_entries (occurred_at DESC, id DESC)`);
    await runner.query(`CREATE INDEX audit_entries_project ON audit_entries (project_id, occurred_at DESC, id DESC)`);
    // What waits for Kafka, if there is one: a console says so when it starts.
    await runner.query(`ALTER TABLE instance_settings ADD COLUMN publishes_audit boolean NOT NULL DEFAULT false`);
    await runner.query(`CREATE TABLE audit_outbox (id uuid PRIMARY KEY)`);
    for (const statement of FUNCTIONS) await runner.query(statement);
    await runner.query(`
      CREATE TRIGGER audit_entries_stay BEFORE UPDATE OR DELETE ON audit_entries
      FOR EACH ROW EXECUTE FUNCTION refuse_audit_change()`);
    await runner.query(`
      CREATE TRIGGER audit_entries_stay_all BEFORE TRUNCATE ON audit_entries
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`);
    for (const table of TABLES) await auditTable(runner, table);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { table } of TABLES) await unauditTable(runner, table);
    await runner.query(`DROP TABLE audit_entries, audit_outbox`);
    await runner.query(`DROP FUNCTION audit_change, refuse_audit_change, audit_record, audit_actor, audit_values`);
    await runner.query(`ALTER TABLE instance_settings DROP COLUMN audit_retention_days, DROP COLUMN publishes_audit`);
  }
}

const FUNCTIONS = [
  `CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF TG_OP = 'DELETE' THEN
       IF OLD.occurred_at < now() - make_interval(days => (SELECT audit_retention_days FROM instance_settings)) THEN
         RETURN OLD;
       END IF;
     END IF;
     RAISE EXCEPTION 'entries of the audit log cannot be changed or removed' USING ERRCODE = 'insufficient_privilege';
   END $$`,
  // Of a change that nobody vouches for: a task of a service, or somebody with a connection of their own.
  `CREATE FUNCTION audit_actor() RETURNS jsonb LANGUAGE sql STABLE AS $$
     SELECT coalesce(
       nullif(current_setting('agent_traffic.actor', true), '')::jsonb,
       (SELECT jsonb_build_object('type', 'service', 'name', service) FROM
         nullif(current_setting('agent_traffic.service', true), '') AS service WHERE service IS NOT NULL),
       jsonb_build_object('type', 'database', 'name', session_user))
   $$`,
  `CREATE FUNCTION audit_record(
     actor jsonb, change text, subject_type text, subject_id text, subject_name text, project_id uuid, before jsonb, after jsonb
   ) RETURNS void LANGUAGE sql AS $$
     WITH entry AS (
     INSERT INTO audit_entries (project_id, actor_type, actor_id, actor_name, address, via, request_id, operation, change,
       subject_type, subject_id, subject_name, before, after)
     SELECT $6, actor ->> 'type', actor ->> 'id',
       coalesce(actor ->> 'name', (
         SELECT k.name || coalesce(' (' || u.email || ')', '') FROM api_keys k LEFT JOIN users u ON u.id = k.acts_as
         WHERE actor ->> 'type' = 'api_key' AND k.id::text = actor ->> 'id')),
       actor ->> 'address', actor ->> 'via', actor ->> 'request_id', actor ->> 'operation', $2, $3, $4, $5, $7, $8
     RETURNING id)
     INSERT INTO audit_outbox SELECT id FROM entry WHERE (SELECT publishes_audit FROM instance_settings)
   $$`,
  // The values of some columns that are not null, secrets hidden.
  `CREATE FUNCTION audit_values(record jsonb, names text[], hidden text[]) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
     SELECT jsonb_object_agg(name, CASE WHEN name = ANY (hidden) THEN '"[hidden]"' ELSE record -> name END)
     FROM unnest(names) AS name WHERE record -> name <> 'null'
   $$`,
  `CREATE FUNCTION audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE
     subject CONSTANT text := TG_ARGV[0];
     hidden CONSTANT text[] := string_to_array(TG_ARGV[4], ',');
     former CONSTANT jsonb := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END;
     latter CONSTANT jsonb := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END;
     record CONSTANT jsonb := coalesce(latter, former);
     differing text[];
     actor jsonb := audit_actor();
   BEGIN
     SELECT array_agg(name) INTO differing FROM unnest(string_to_array(TG_ARGV[3], ',') || hidden) AS name
     WHERE TG_OP <> 'UPDATE' OR former -> name IS DISTINCT FROM latter -> name;
     IF differing IS NULL THEN RETURN NULL; END IF;
     -- The person who signs in was nobody before.
     IF subject = 'session' AND TG_OP = 'INSERT' AND actor ->> 'type' = 'visitor' THEN
       actor := actor || (SELECT jsonb_build_object('type', 'person', 'id', u.id, 'name', u.email) FROM users u
         WHERE u.id::text = record ->> 'user_id');
     END IF;
     PERFORM audit_record(
       actor,
       CASE TG_OP WHEN 'INSERT' THEN 'created' WHEN 'DELETE' THEN 'removed' ELSE 'changed' END,
       subject,
       record ->> TG_ARGV[1],
       coalesce(
         CASE WHEN subject = 'user' THEN record ->> 'email' END, record ->> 'name', record ->> 'host',
         record ->> 'user_agent_group', coalesce(record -> 'own', former -> 'own', record -> 'feed') ->> 'token',
         coalesce(record -> 'own', former -> 'own') ->> 'name',
         (SELECT u.email FROM users u WHERE u.id::text = record ->> 'user_id')),
       (record ->> TG_ARGV[2])::uuid,
       audit_values(former, differing, hidden),
       audit_values(latter, differing, hidden));
     RETURN NULL;
   END $$`,
];
