/** Received requests, imports and drains. Written by the gateway. */
export const RECEPTION = `
CREATE TABLE idempotency_keys (
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  key_hash bytea NOT NULL,
  body_hash bytea NOT NULL,
  batch_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, key_hash)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

-- Messages that wait while Kafka is unavailable.
CREATE TABLE visits_outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  topic text NOT NULL,
  key text,
  value bytea NOT NULL,
  headers jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
-- Values are read once, so compressing them costs more than it saves.
ALTER TABLE visits_outbox ALTER COLUMN value SET STORAGE EXTERNAL;

-- The newest rejected requests of each project, and of unknown tokens (without a project).
CREATE TABLE refused_requests (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id uuid REFERENCES projects ON DELETE CASCADE,
  token_id uuid REFERENCES access_tokens ON DELETE SET NULL,
  refused_at timestamptz NOT NULL,
  times integer NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  status smallint NOT NULL,
  code text NOT NULL,
  detail text NOT NULL,
  pointer text,
  client_address text NOT NULL
);
CREATE INDEX refused_requests_newest ON refused_requests (project_id, id DESC);

-- First import of each day's log lines, which the IDs of imported visits are derived from.
CREATE TABLE import_days (
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  day integer NOT NULL,
  first_at timestamptz NOT NULL,
  import_id uuid NOT NULL,
  PRIMARY KEY (project_id, day)
);

-- Requirements for the logs that servers, CDNs and collectors send. Written by console.
CREATE TABLE drain_settings (
  -- Project ID.
  id uuid PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
  allows_token_in_url boolean NOT NULL DEFAULT false,
  leaves_out_static_files boolean NOT NULL DEFAULT true,
  -- DrainMapping of the contracts.
  mapping jsonb,
  vercel_verify text,
  -- Encrypted by SecretBox.
  vercel_secret bytea,
  fastly_service_ids text[] NOT NULL DEFAULT '{}'
);

-- Result of the last batches of each sender, in the shapes of Drain of the contracts.
CREATE TABLE drains (
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  source text NOT NULL,
  first_batch_at timestamptz NOT NULL,
  last_batch_at timestamptz NOT NULL,
  last_batch jsonb NOT NULL,
  totals jsonb NOT NULL,
  unreadable_lines jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (project_id, source)
);
`;
