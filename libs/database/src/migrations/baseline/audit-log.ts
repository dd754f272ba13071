import type { AuditedTable } from '../audited-table.js';

/**
 * Audit log tables and triggers. Triggers write entries in the same transaction as the change. `auditedTransaction`
 * sets the actor.
 */
export const AUDIT_LOG = `
CREATE TABLE audit_entries (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  occurred_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- No foreign keys, because entries outlive their subjects.
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
);
CREATE INDEX audit_entries_time ON audit_entries (occurred_at DESC, id DESC);
CREATE INDEX audit_entries_project ON audit_entries (project_id, occurred_at DESC, id DESC);

-- Entries waiting to be published to Kafka.
CREATE TABLE audit_outbox (id uuid PRIMARY KEY);

-- Makes the log append-only. Entries can be deleted only after their retention period.
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.occurred_at < now() - make_interval(days => (SELECT audit_retention_days FROM instance_settings)) THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION 'audit log entries cannot be changed or deleted' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER audit_entries_stay BEFORE UPDATE OR DELETE ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_entries_stay_all BEFORE TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

-- Returns who makes the current change: the actor set by the transaction, the connected service, or the database user.
CREATE FUNCTION audit_actor() RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    nullif(current_setting('agent_traffic.actor', true), '')::jsonb,
    (SELECT jsonb_build_object('type', 'service', 'name', service) FROM
      nullif(current_setting('agent_traffic.service', true), '') AS service WHERE service IS NOT NULL),
    jsonb_build_object('type', 'database', 'name', session_user))
$$;

CREATE FUNCTION audit_record(
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
$$;

-- Returns the non-null values of the named columns, with secrets replaced.
CREATE FUNCTION audit_values(record jsonb, names text[], hidden text[]) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_object_agg(name, CASE WHEN name = ANY (hidden) THEN '"[hidden]"' ELSE record -> name END)
  FROM unnest(names) AS name WHERE record -> name <> 'null'
$$;

-- Trigger arguments: subject type, ID column, project column, logged columns, hidden columns.
CREATE FUNCTION audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  subject CONSTANT text := TG_ARGV[0];
  hidden CONSTANT text[] := string_to_array(TG_ARGV[4], ',');
  old_row CONSTANT jsonb := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END;
  new_row CONSTANT jsonb := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END;
  -- Null before a row is created or restored, and after it is deleted. Rows with a deleted_at column stay for a while.
  former CONSTANT jsonb := CASE WHEN old_row ->> 'deleted_at' IS NULL THEN old_row END;
  latter CONSTANT jsonb := CASE WHEN new_row ->> 'deleted_at' IS NULL THEN new_row END;
  record CONSTANT jsonb := coalesce(latter, former);
  differing text[];
  actor jsonb := audit_actor();
BEGIN
  SELECT array_agg(name) INTO differing FROM unnest(string_to_array(TG_ARGV[3], ',') || hidden) AS name
  WHERE former IS NULL OR latter IS NULL OR former -> name IS DISTINCT FROM latter -> name;
  IF differing IS NULL OR record IS NULL THEN RETURN NULL; END IF;
  -- A sign-in request is made by a visitor, because its session doesn't exist yet. Log the person instead.
  IF subject = 'session' AND TG_OP = 'INSERT' AND actor ->> 'type' = 'visitor' THEN
    actor := actor || (SELECT jsonb_build_object('type', 'person', 'id', u.id, 'name', u.email) FROM users u
      WHERE u.id::text = record ->> 'user_id');
  END IF;
  PERFORM audit_record(
    actor,
    CASE WHEN former IS NULL THEN 'created' WHEN latter IS NULL THEN 'removed' ELSE 'changed' END,
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
END $$;
`;

/** Skips deletions of expired rows, because they're automatic. */
const UNEXPIRED = { delete: 'OLD.expires_at > now()' };

export const AUDITED_TABLES: readonly AuditedTable[] = [
  {
    table: 'instance_settings',
    subject: 'settings',
    id: null,
    logged: ['retention_days', 'unknown_retention_days', 'configured_retention_days', 'audit_retention_days'],
    when: { insert: false },
  },
  {
    table: 'mail_server',
    subject: 'mail_server',
    id: null,
    logged: ['host', 'port', 'security', 'user_name', 'sender'],
    hidden: ['password'],
  },
  { table: 'users', subject: 'user', logged: ['email', 'name', 'is_admin', 'email_verified'] },
  { table: 'user_logins', subject: 'login', logged: ['user_id', 'provider'], hidden: ['password'] },
  {
    table: 'user_sessions',
    subject: 'session',
    logged: ['user_id', 'address', 'user_agent'],
    when: { update: false, ...UNEXPIRED },
  },
  { table: 'setup_code', subject: 'setup_code', id: null, logged: ['expires_at'], when: UNEXPIRED },
  {
    table: 'password_resets',
    subject: 'password_reset',
    id: 'user_id',
    logged: ['user_id', 'expires_at'],
    when: UNEXPIRED,
  },
  {
    table: 'second_factors',
    subject: 'second_factor',
    id: 'user_id',
    logged: ['user_id', 'active_since'],
    hidden: ['secret', 'recovery_codes'],
  },
  { table: 'passkeys', subject: 'passkey', logged: ['user_id', 'name', 'rp_id'] },
  {
    table: 'projects',
    subject: 'project',
    project: 'id',
    logged: [
      'name',
      'site_address',
      'host_names',
      'time_zone',
      'trusted_proxies',
      'redacted_headers',
      'unredacted_headers',
      'unknown_visitors',
      'is_demo',
      'price_per_gb',
      'price_per_server_hour',
      'currency',
      'path_patterns',
      'toll_hosts',
      'list_prices',
    ],
  },
  { table: 'project_members', subject: 'member', id: 'user_id', project: 'project_id', logged: ['user_id', 'role'] },
  {
    table: 'project_invitations',
    subject: 'invitation',
    project: 'project_id',
    logged: ['role', 'expires_at'],
    when: UNEXPIRED,
  },
  {
    table: 'access_tokens',
    subject: 'access_token',
    project: 'project_id',
    logged: ['name', 'hint', 'from_environment', 'revoked_at', 'expires_at', 'allowed_networks', 'purposes'],
  },
  {
    table: 'api_keys',
    subject: 'api_key',
    logged: ['name', 'admin', 'project_ids', 'acts_as', 'from_environment', 'revoked_at', 'expires_at', 'scopes'],
  },
  {
    table: 'shared_links',
    subject: 'shared_link',
    project: 'project_id',
    logged: ['name', 'expires_at'],
    hidden: ['password'],
  },
  {
    table: 'statement_keys',
    subject: 'statement_key',
    logged: ['public_key', 'replaced_at'],
    hidden: ['private_key'],
  },
  { table: 'saved_filters', subject: 'saved_filter', project: 'project_id', logged: ['name', 'page', 'search'] },
  { table: 'chart_notes', subject: 'chart_note', project: 'project_id', logged: ['day', 'text'] },
  // Deletions aren't logged, because they're automatic.
  {
    table: 'rules_versions',
    subject: 'rules_version',
    project: 'project_id',
    logged: ['selection'],
    when: { delete: false },
  },
  // Deletions aren't logged, because they're automatic.
  {
    table: 'policy_versions',
    subject: 'policy_version',
    project: 'project_id',
    logged: ['rules'],
    when: { delete: false },
  },
  {
    table: 'dismissed_user_agents',
    subject: 'dismissed_user_agent',
    project: 'project_id',
    logged: ['user_agent_group'],
  },
  {
    table: 'test_visits',
    subject: 'test_visit',
    project: 'project_id',
    logged: ['started_at'],
    when: { update: false, delete: false },
  },
  {
    table: 'agents',
    subject: 'agent',
    logged: ['own'],
    // Changes to bundled agents come with a release, so they aren't logged. Feed agents are only deleted by a person or
    // together with their feed.
    when: { insert: 'NEW.own IS NOT NULL', delete: 'OLD.own IS NOT NULL OR OLD.feed IS NOT NULL' },
  },
  {
    table: 'assistants',
    subject: 'assistant',
    logged: ['own'],
    when: { insert: 'NEW.own IS NOT NULL', delete: 'OLD.own IS NOT NULL' },
  },
  {
    table: 'agent_feeds',
    subject: 'agent_feed',
    logged: ['name', 'url', 'public_key', 'accepts_all'],
    // Uploaded files can be too large for the log.
    hidden: ['document'],
  },
  {
    table: 'drain_settings',
    subject: 'drain_settings',
    project: 'id',
    logged: ['allows_token_in_url', 'leaves_out_static_files', 'mapping', 'fastly_service_ids'],
    hidden: ['vercel_verify', 'vercel_secret'],
  },
  {
    table: 'dead_letters',
    subject: 'dead_letter',
    project: 'project_id',
    logged: ['replayed_at'],
    when: { insert: false, delete: false },
  },
  {
    table: 'reidentifications',
    subject: 'reidentification',
    project: 'project_id',
    logged: ['range_from', 'range_to', 'agent_token', 'state', 'is_paused'],
  },
  // Only versions entered by a person are logged, not those fetched automatically.
  {
    table: 'robots_versions',
    subject: 'robots_version',
    project: 'project_id',
    logged: ['host', 'served_from', 'status', 'is_recorded'],
    when: { insert: 'NEW.is_recorded', update: 'NEW.is_recorded', delete: false },
  },
  {
    table: 'alerts',
    subject: 'alert',
    project: 'project_id',
    logged: [
      'kind',
      'agent_id',
      'agent_type',
      'operator',
      'threshold',
      'minimum',
      'window_minutes',
      'cooldown_minutes',
      'recovery_minutes',
      'is_enabled',
      'muted_until',
      'channel_ids',
      'deleted_at',
    ],
  },
  {
    table: 'alert_channels',
    subject: 'alert_channel',
    project: 'project_id',
    logged: ['kind', 'name', 'target_hint', 'is_enabled', 'disabled_reason'],
    hidden: ['target', 'secret'],
  },
  {
    table: 'report_subscriptions',
    subject: 'report_subscription',
    project: 'project_id',
    logged: ['user_id', 'address'],
    when: { update: false },
  },
  {
    table: 'report_schedules',
    subject: 'report_schedule',
    id: 'project_id',
    project: 'project_id',
    logged: ['frequency', 'weekday', 'time_zone'],
  },
];
