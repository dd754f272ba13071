/** Tables for received requests, imports and drains. The gateway writes to them. */
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

-- Messages stored while Kafka is unavailable.
CREATE TABLE visits_outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  topic text NOT NULL,
  key text,
  value bytea NOT NULL,
  headers jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
-- Each value is read only once, so compression costs more than it saves.
ALTER TABLE visits_outbox ALTER COLUMN value SET STORAGE EXTERNAL;

-- The most recent rejected requests for each project. Requests with an unknown token have no project.
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

-- The first import that contained log lines from a day. IDs of visits from that day are derived from it.
CREATE TABLE import_days (
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  day integer NOT NULL,
  first_at timestamptz NOT NULL,
  import_id uuid NOT NULL,
  PRIMARY KEY (project_id, day)
);

-- Settings for logs sent by servers, CDNs and collectors. Only the console writes to this table.
CREATE TABLE drain_settings (
  -- Project ID.
  id uuid PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
  allows_token_in_url boolean NOT NULL DEFAULT false,
  leaves_out_static_files boolean NOT NULL DEFAULT true,
  -- Field mapping, in the format of the contracts library's DrainMapping type.
  mapping jsonb,
  vercel_verify text,
  -- Secret for Vercel's signatures, encrypted by SecretBox.
  vercel_secret bytea,
  fastly_service_ids text[] NOT NULL DEFAULT '{}'
);

-- Results of the latest batches from each sender, in the format of the contracts library's Drain type.
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
