/** Processes and settings of the instance. */
export const INSTANCE = `
-- Each process writes its own row every few seconds, and deletes it on a clean shutdown.
CREATE TABLE service_instances (
  id uuid PRIMARY KEY,
  service text NOT NULL,
  host text NOT NULL,
  version text NOT NULL,
  started_at timestamptz NOT NULL,
  reported_at timestamptz NOT NULL,
  status text NOT NULL,
  checks json NOT NULL,
  -- Addresses that send forwarding headers without being trusted proxies.
  untrusted_forwarders json NOT NULL DEFAULT '[]'
);

-- One row. The console writes the settings of the dashboard, ingest the one from its configuration.
CREATE TABLE instance_settings (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  retention_days integer,
  configured_retention_days integer,
  -- Null: as long as other visits.
  unknown_retention_days integer,
  audit_retention_days integer NOT NULL DEFAULT 365 CHECK (audit_retention_days >= 30),
  -- Set by a console that publishes audit entries to Kafka.
  publishes_audit boolean NOT NULL DEFAULT false
);
INSERT INTO instance_settings (unknown_retention_days) VALUES (7);
`;
