/** Tables for alerts, channels, deliveries and weekly reports. The console writes to them. */
export const ALERTS = `
CREATE TABLE alerts (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  kind text NOT NULL,
  agent_id uuid,
  agent_type text,
  operator text,
  threshold double precision NOT NULL,
  minimum integer NOT NULL,
  window_minutes integer NOT NULL,
  cooldown_minutes integer NOT NULL,
  recovery_minutes integer NOT NULL,
  is_enabled boolean NOT NULL DEFAULT true,
  muted_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- IDs of the channels to notify. Null means all channels.
  channel_ids uuid[] CHECK (cardinality(channel_ids) > 0),
  -- Time when the alert's scope last changed. Null if it never changed.
  watched_since timestamptz,
  -- Set while the deletion can still be undone. The alert is then hidden and not evaluated.
  deleted_at timestamptz,
  CHECK (num_nonnulls(agent_id, agent_type, operator) <= 1)
);
CREATE INDEX alerts_project ON alerts (project_id);
CREATE INDEX alerts_deleted ON alerts (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE alert_events (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  alert_id uuid NOT NULL REFERENCES alerts ON DELETE CASCADE,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  -- Agent ID or host name. Empty if the alert covers all of them.
  subject text NOT NULL,
  value double precision NOT NULL,
  usual double precision,
  fired_at timestamptz NOT NULL,
  last_met_at timestamptz NOT NULL,
  recovered_at timestamptz,
  -- True if notifications are sent when the alert fires and when it recovers.
  is_told boolean NOT NULL DEFAULT true,
  -- The alert's settings at the time it fired, in the format of the console's EventRule type.
  rule jsonb NOT NULL
);
CREATE UNIQUE INDEX alert_events_open ON alert_events (alert_id, subject) WHERE recovered_at IS NULL;
CREATE INDEX alert_events_alert ON alert_events (alert_id, subject, fired_at);
CREATE INDEX alert_events_project ON alert_events (project_id, fired_at DESC, id DESC);

-- Alert events that users have read in the dashboard.
CREATE TABLE alert_event_reads (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  event_id uuid NOT NULL REFERENCES alert_events ON DELETE CASCADE,
  PRIMARY KEY (user_id, event_id)
);
CREATE INDEX alert_event_reads_event ON alert_event_reads (event_id);

CREATE TABLE alert_evaluation (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  evaluated_until timestamptz NOT NULL
);

CREATE TABLE alert_channels (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  kind text NOT NULL,
  name text NOT NULL,
  -- The part of the target that is safe to display.
  target_hint text NOT NULL,
  -- URL, or a JSON array of email addresses. Encrypted by SecretBox, like the secrets.
  target bytea NOT NULL,
  secret bytea,
  former_secret bytea,
  former_secret_until timestamptz,
  is_enabled boolean NOT NULL DEFAULT true,
  disabled_reason text,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- True if the last attempt timed out. The number of concurrent attempts to such channels is limited.
  is_unanswered boolean NOT NULL DEFAULT false
);
CREATE INDEX alert_channels_project ON alert_channels (project_id);

CREATE TABLE alert_deliveries (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  channel_id uuid NOT NULL REFERENCES alert_channels ON DELETE CASCADE,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  type text NOT NULL,
  -- Message to deliver, in the format of the console's AlertMessage type.
  message jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  -- Null after the message is delivered or after the last attempt fails.
  next_attempt_at timestamptz,
  claimed_until timestamptz,
  last_attempt_at timestamptz,
  delivered_at timestamptz,
  status smallint,
  error text,
  -- Remaining recipients, if an email has reached only some of them.
  left_addresses text[]
);
CREATE INDEX alert_deliveries_due ON alert_deliveries (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX alert_deliveries_project ON alert_deliveries (project_id, created_at DESC, id DESC);
CREATE INDEX alert_deliveries_channel ON alert_deliveries (channel_id);
CREATE INDEX alert_deliveries_age ON alert_deliveries (created_at);

-- Email addresses allowed to receive a project's alerts.
CREATE TABLE mail_recipients (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  address text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  confirmed_at timestamptz,
  stopped_at timestamptz,
  UNIQUE (project_id, address)
);

-- Projects without a row get weekly reports on Mondays in the project's time zone.
CREATE TABLE report_schedules (
  project_id uuid PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
  frequency text NOT NULL CHECK (frequency IN ('weekly', 'monthly')),
  -- 1 is Monday.
  weekday smallint NOT NULL CHECK (weekday BETWEEN 1 AND 7),
  -- Null means the project's time zone.
  time_zone text
);

CREATE TABLE report_subscriptions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  user_id uuid REFERENCES users ON DELETE CASCADE,
  -- Lowercase email address of a recipient without an account.
  address text,
  -- Secret in the links of emails. It only grants confirming and unsubscribing.
  unsubscription uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Time of the next report or retry. While a report is being sent, the time when the attempt is abandoned. Infinity
  -- until a recipient without an account has confirmed the address.
  next_attempt_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  -- First day of the last reported period. The date is the same in every time zone.
  reported_week date,
  -- Report that someone asked to send now. Cleared before its email is started, so no one gets it twice.
  requested_report jsonb,
  -- Most recent delivery. Its error is null unless the state is failed.
  delivery_state text CHECK (delivery_state IN ('waiting', 'sending', 'sent', 'failed')),
  delivery_at timestamptz,
  delivery_error text,
  UNIQUE (user_id, project_id),
  UNIQUE (project_id, address),
  CHECK (num_nonnulls(user_id, address) = 1)
);
CREATE INDEX report_subscriptions_due ON report_subscriptions (next_attempt_at);
CREATE INDEX report_subscriptions_requested ON report_subscriptions (delivery_at) WHERE requested_report IS NOT NULL;

-- Lowercase email addresses of recipients without an account who unsubscribed. They can't be added again.
CREATE TABLE report_refusals (
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  address text NOT NULL,
  PRIMARY KEY (project_id, address)
);
`;
