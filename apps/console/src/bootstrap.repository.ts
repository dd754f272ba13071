import { Inject, Injectable } from '@nestjs/common';
import { hashCredential, newCredential, SecretBox } from '#libs/database';
import type { SetupCode } from '#libs/contracts';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 } from 'uuid';
import { addUser, renewSetupCode } from './accounts/accounts.repository.js';
import { hashPassword } from './accounts/password-hash.js';
import { ensureTestAgentKey } from './test-agent/test-agent.repository.js';
import { tokenPurpose } from './projects/tokens.repository.js';

const LOCK = 4_116_820_613;

export interface BootstrapOptions {
  /** The first project's access token, set again at each start. */
  projectAccessToken?: string | undefined;
  /** An admin API key, set again at each start. */
  apiKey?: string | undefined;
  /** An administrator's account, made where its address has none; an account that is there stays as it is. */
  administrator?: Administrator | null;
}

export interface Administrator {
  email: string;
  password: string;
}

export interface Bootstrapped {
  firstStart: boolean;
  /** The first project's token: given, or made on the first start; null on later starts. */
  accessToken: string | null;
  /** The admin key when it was given or just made, for the caller to keep; null when there was one already. */
  apiKey: string | null;
  /** With which the first administrator is made, another at each start; null once there is one. */
  setupCode: SetupCode | null;
}

/** Makes what nobody can do without: a project, a token for it, a key to read with, and the test agent's key. */
@Injectable()
export class BootstrapRepository {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(SecretBox) private readonly secrets: SecretBox,
  ) {}

  /** Safe to call at every start, and from several processes at once. */
  async bootstrap({ projectAccessToken, apiKey, administrator }: BootstrapOptions): Promise<Bootstrapped> {
    return this.dataSource.transaction(async (transaction) => {
      await transaction.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
      const [first]: { id: string }[] = await transaction.query(
        `SELECT id FROM projects ORDER BY created_at, id LIMIT 1`,
      );
      const projectId = first?.id ?? (await makeProject(transaction));
      const isFirst = first === undefined;
      const accessToken = projectAccessToken ?? (isFirst ? newCredential('agt_') : null);
      if (accessToken !== null) {
        await this.setToken(transaction, projectId, accessToken, projectAccessToken !== undefined);
      }
      const key = apiKey ?? ((await hasAdminKey(transaction)) ? null : newCredential('agk_'));
      if (key !== null) await setAdminKey(transaction, key, apiKey !== undefined);
      await ensureTestAgentKey(transaction, this.secrets);
      if (administrator) await ensureAdministrator(transaction, administrator);
      const setupCode = await renewSetupCode(transaction);
      return { firstStart: isFirst, accessToken: isFirst ? accessToken : null, apiKey: key, setupCode };
    });
  }

  private async setToken(
    transaction: EntityManager,
    projectId: string,
    token: string,
    fromEnvironment: boolean,
  ): Promise<void> {
    const hash = hashCredential(token);
    const id = v7();
    if (fromEnvironment) {
      // Another value than the last time: that one no longer counts.
      await transaction.query(
        `UPDATE access_tokens SET revoked_at = now() WHERE from_environment AND hash <> $1 AND revoked_at IS NULL`,
        [hash],
      );
    }
    const name = fromEnvironment ? 'From the environment' : 'First token';
    const rows: { project_id: string }[] = await transaction.query(
      `INSERT INTO access_tokens (id, project_id, name, hash, encrypted, hint, from_environment)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (hash) DO UPDATE SET revoked_at = NULL RETURNING project_id`,
      [id, projectId, name, hash, this.secrets.seal(token, tokenPurpose(id)), token.slice(-4), fromEnvironment],
    );
    if (rows[0]?.project_id !== projectId) {
      throw new Error('PROJECT_ACCESS_TOKEN is the token of another project than the first. Choose another value.');
    }
  }
}

async function makeProject(transaction: EntityManager): Promise<string> {
  const id = v7();
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  await transaction.query(`INSERT INTO projects (id, name, time_zone) VALUES ($1, 'My site', $2)`, [id, timeZone]);
  return id;
}

async function hasAdminKey(transaction: EntityManager): Promise<boolean> {
  const rows: unknown[] = await transaction.query(`SELECT FROM api_keys WHERE admin AND revoked_at IS NULL LIMIT 1`);
  return rows.length > 0;
}

async function setAdminKey(transaction: EntityManager, key: string, fromEnvironment: boolean): Promise<void> {
  const hash = hashCredential(key);
  if (fromEnvironment) {
    await transaction.query(
      `UPDATE api_keys SET revoked_at = now() WHERE from_environment AND hash <> $1 AND revoked_at IS NULL`,
      [hash],
    );
  }
  const name = fromEnvironment ? 'From the environment' : 'First key';
  await transaction.query(
    `INSERT INTO api_keys (id, name, hash, admin, from_environment) VALUES ($1, $2, $3, true, $4)
     ON CONFLICT (hash) DO UPDATE SET revoked_at = NULL, admin = true`,
    [v7(), name, hash, fromEnvironment],
  );
}

async function ensureAdministrator(transaction: EntityManager, { email, password }: Administrator): Promise<void> {
  const known: unknown[] = await transaction.query(`SELECT FROM users WHERE email = $1`, [email.toLowerCase()]);
  if (known.length > 0) return;
  const passwordHash = await hashPassword(password);
  await addUser(transaction, { email, name: 'Administrator', passwordHash, isAdmin: true, isVerified: true });
}
