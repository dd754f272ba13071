/** Tables for accounts, sessions and second factors. The console writes to them. */
export const ACCOUNTS = `
CREATE TABLE users (
  id uuid PRIMARY KEY,
  -- Email address in lowercase.
  email text NOT NULL UNIQUE,
  -- True if an administrator or the OpenID provider has confirmed the address.
  email_verified boolean NOT NULL DEFAULT false,
  name text NOT NULL,
  is_admin boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- Rows with the provider 'credential' contain a scrypt password hash. Rows with 'oidc' contain an identity at the
-- OpenID provider.
CREATE TABLE user_logins (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  provider text NOT NULL,
  subject text NOT NULL,
  password text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (provider, subject),
  -- OpenID subjects are stored as ISSUER#SUB. An issuer can't contain # (OpenID Connect Discovery 1.0, section 3).
  CONSTRAINT user_logins_issuer CHECK (provider = 'credential' OR strpos(subject, '#') > 1)
);
CREATE INDEX user_logins_user ON user_logins (user_id);

CREATE TABLE user_sessions (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- SHA-256 of the cookie's token.
  hash bytea NOT NULL UNIQUE,
  expires_at timestamptz NOT NULL,
  address text,
  user_agent text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- Time of the last sign-in or password check.
  confirmed_at timestamptz NOT NULL DEFAULT now(),
  opened_by text NOT NULL DEFAULT 'password'
);
CREATE INDEX user_sessions_user ON user_sessions (user_id);
CREATE INDEX user_sessions_age ON user_sessions (expires_at);

-- Pending sign-ins through the OpenID provider.
CREATE TABLE oidc_sign_ins (
  -- SHA-256 of the OAuth state, which is also stored in the browser's cookie.
  hash bytea PRIMARY KEY,
  nonce text NOT NULL,
  -- PKCE code verifier (RFC 7636).
  code_verifier text NOT NULL,
  -- Dashboard path to redirect to after the sign-in.
  return_to text NOT NULL,
  -- Earliest acceptable authentication time at the provider. Null accepts any time.
  confirms_since timestamptz,
  expires_at timestamptz NOT NULL
);

CREATE TABLE setup_code (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  hash bytea NOT NULL,
  expires_at timestamptz NOT NULL
);

CREATE TABLE password_resets (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  hash bytea NOT NULL UNIQUE,
  expires_at timestamptz NOT NULL,
  created_by uuid REFERENCES users ON DELETE CASCADE
);

CREATE TABLE second_factors (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL UNIQUE REFERENCES users ON DELETE CASCADE,
  -- TOTP secret, encrypted by SecretBox.
  secret bytea NOT NULL,
  -- Null until the user enters their first valid code.
  active_since timestamptz,
  -- Time step of the last accepted code. Codes from this step or earlier are rejected.
  last_step bigint NOT NULL DEFAULT 0,
  -- SHA-256 hashes of the unused recovery codes.
  recovery_codes bytea[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Sign-ins waiting for a second factor.
CREATE TABLE pending_sign_ins (
  -- SHA-256 of the browser's token.
  hash bytea PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  attempts integer NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL
);
CREATE INDEX pending_sign_ins_user ON pending_sign_ins (user_id);

CREATE TABLE passkeys (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  name text NOT NULL,
  -- ID assigned by the authenticator, in base64url.
  credential_id text NOT NULL UNIQUE,
  -- COSE_Key (RFC 9052).
  public_key bytea NOT NULL,
  -- Host name the passkey is bound to.
  rp_id text NOT NULL,
  -- Signature counter from the authenticator. Many authenticators always send 0.
  uses bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz
);
CREATE INDEX passkeys_user ON passkeys (user_id);

CREATE TABLE passkey_challenges (
  -- SHA-256 of the browser's token.
  hash bytea PRIMARY KEY,
  challenge text NOT NULL,
  -- Account that is registering the passkey. Null for a sign-in.
  user_id uuid REFERENCES users ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);
`;
