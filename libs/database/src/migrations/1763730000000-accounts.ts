import type { MigrationInterface, QueryRunner } from 'typeorm';

/** People: their accounts, sessions and projects. All of it is written by console. */
export class Accounts1763730000000 implements MigrationInterface {
  name = 'Accounts1763730000000';

  async up(runner: QueryRunner): Promise<void> {
    // E-mail addresses are in lower case. An address counts as verified when the operator or a provider vouches for it.
    await runner.query(`
      CREATE TABLE users (
        id uuid PRIMARY KEY,
        email text NOT NULL UNIQUE,
        email_verified boolean NOT NULL DEFAULT false,
        name text NOT NULL,
        image text,
        is_admin boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      )`);
    // Ways to sign in: the provider "credential" is a password (scrypt), others are OpenID providers. The tokens of
    // those are encrypted.
    await runner.query(`
      CREATE TABLE user_logins (
        id uuid PRIMARY KEY,
        user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
        provider text NOT NULL,
        subject text NOT NULL,
        password text,
        access_token text,
        refresh_token text,
        id_token text,
        access_token_expires_at timestamptz,
        refresh_token_expires_at timestamptz,
        scope text,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (provider, subject)
      )`);
    await runner.query(`CREATE INDEX user_logins_user ON user_logins (user_id)`);
    // A token is of no use without the signature that the cookie carries.
    await runner.query(`
      CREATE TABLE user_sessions (
        id uuid PRIMARY KEY,
        user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
        token text NOT NULL UNIQUE,
        expires_at timestamptz NOT NULL,
        address text,
        user_agent text,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`CREATE INDEX user_sessions_user ON user_sessions (user_id)`);
    await runner.query(`CREATE INDEX user_sessions_age ON user_sessions (expires_at)`);
    // Sign-ins by way of a provider that are under way.
    await runner.query(`
      CREATE TABLE user_verifications (
        id uuid PRIMARY KEY,
        identifier text NOT NULL,
        value text NOT NULL,
        expires_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`CREATE INDEX user_verifications_identifier ON user_verifications (identifier)`);
    await runner.query(`
      CREATE TABLE setup_code (
        is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
        hash bytea NOT NULL,
        expires_at timestamptz NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE project_members (
        project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
        user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
        role text NOT NULL CHECK (role IN ('owner', 'member', 'viewer')),
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (project_id, user_id)
      )`);
    await runner.query(`CREATE INDEX project_members_user ON project_members (user_id)`);
    await runner.query(`
      CREATE TABLE project_invitations (
        id uuid PRIMARY KEY,
        project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
        role text NOT NULL CHECK (role IN ('owner', 'member', 'viewer')),
        hash bytea NOT NULL UNIQUE,
        created_by uuid REFERENCES users ON DELETE CASCADE,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL
      )`);
    await runner.query(`CREATE INDEX project_invitations_project ON project_invitations (project_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of [
      'project_invitations',
      'project_members',
      'setup_code',
      'user_verifications',
      'user_sessions',
      'user_logins',
      'users',
    ]) {
      await runner.query(`DROP TABLE ${table}`);
    }
  }
}
