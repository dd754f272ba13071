/** Tables for the instance's processes and settings. */
export const INSTANCE = `
-- Each process updates its own row every few seconds and deletes it during a clean shutdown.
CREATE TABLE service_instances (
  id uuid PRIMARY KEY,
  service text NOT NULL,
  host text NOT NULL,
  version text NOT NULL,
  started_at timestamptz NOT NULL,
  reported_at timestamptz NOT NULL,
  status text NOT NULL,
  checks json NOT NULL,
  -- Addresses that send forwarding headers but aren't trusted proxies.
  untrusted_forwarders json NOT NULL DEFAULT '[]'
);

-- Contains a single row. The console writes the dashboard's settings, and ingest writes its configured retention.
CREATE TABLE instance_settings (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  retention_days integer,
  configured_retention_days integer,
  -- If null, visits by unknown visitors are kept as long as all other visits.
  unknown_retention_days integer,
  audit_retention_days integer NOT NULL DEFAULT 365 CHECK (audit_retention_days >= 30),
  -- True if the console publishes audit entries to Kafka.
  publishes_audit boolean NOT NULL DEFAULT false,
  -- True if expired visits may only be deleted after they have been archived.
  requires_archive boolean NOT NULL DEFAULT false,
  -- Database that contains the visits.
  visit_store text NOT NULL DEFAULT 'postgresql' CHECK (visit_store IN ('postgresql', 'clickhouse'))
);
INSERT INTO instance_settings (unknown_retention_days) VALUES (7);

-- Mail server set in the dashboard. Contains at most one row, which is ignored while SMTP_HOST is set.
CREATE TABLE mail_server (
  id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  host text NOT NULL,
  port integer NOT NULL CHECK (port BETWEEN 1 AND 65535),
  security text NOT NULL CHECK (security IN ('starttls', 'tls', 'none')),
  user_name text,
  -- Encrypted by SecretBox.
  password bytea,
  sender text NOT NULL,
  CHECK ((user_name IS NULL) = (password IS NULL))
);

-- Keys that sign statements. Replaced keys remain listed, so earlier statements can still be checked.
CREATE TABLE statement_keys (
  id text PRIMARY KEY,
  public_key jsonb NOT NULL,
  -- Encrypted by SecretBox. Null if the key was replaced.
  private_key bytea,
  created_at timestamptz NOT NULL DEFAULT now(),
  replaced_at timestamptz,
  CHECK ((private_key IS NULL) = (replaced_at IS NOT NULL))
);
CREATE UNIQUE INDEX statement_keys_current ON statement_keys ((true)) WHERE replaced_at IS NULL;
`;
