import { Injectable } from '@nestjs/common';
import { actingAs, ConfigurationError } from '#libs/platform';
import {
  ADVISORY_LOCKS,
  ApiKeyEntity,
  auditedTransaction,
  hashCredential,
  newCredential,
  ProjectEntity,
  SecretBox,
  UserEntity,
} from '#libs/database';
import { API_KEY_SCOPES, type SetupCode } from '#libs/contracts';
import { ArrayContains, DataSource, IsNull, type EntityManager } from 'typeorm';
import { v7 } from 'uuid';
import { addUser } from './access/new-user.repository.js';
import { renewSetupCode } from './accounts/accounts.repository.js';
import { addDefaultAlerts } from './alerts/alerts.repository.js';
import { ensureTestAgentKey } from './connecting/test-agent.repository.js';
import { newPasswordFault } from './passwords/new-password.js';
import { PasswordHasher } from './passwords/password-hasher.service.js';
import { tokenPurpose } from './projects/tokens.repository.js';

export interface BootstrapOptions {
  /** First project's access token. Stored at each start, unless it has been revoked. */
  projectAccessToken?: string | undefined;
  /** Admin API key. Stored at each start, unless it has been revoked. */
  apiKey?: string | undefined;
  /** Administrator account to create. An existing account with the same address isn't changed. */
  administrator?: Administrator | null;
}

export interface Administrator {
  email: string;
  password: string;
}

export interface Bootstrapped {
  firstStart: boolean;
  /** First project's token, configured or generated. Null unless this is the first start. */
  accessToken: string | null;
  /** Admin key, if it was configured or just generated, for the caller to save. Otherwise null. */
  apiKey: string | null;
  /** Code for setting up the first administrator, renewed at each start. Null once an administrator exists. */
  setupCode: SetupCode | null;
  /** Log messages about environment variables whose values have been revoked. */
  warnings: string[];
}

/** Creates what every instance needs: a project with an access token, an admin key, and the test agent's key. */
@Injectable()
export class BootstrapRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly secrets: SecretBox,
    private readonly passwords: PasswordHasher,
  ) {}

  /** Safe to call at every start, and from several processes at the same time. */
  async bootstrap(options: BootstrapOptions): Promise<Bootstrapped> {
    return actingAs({ type: 'environment', name: 'First start or configuration' }, () => this.ensure(options));
  }

  private async ensure({ projectAccessToken, apiKey, administrator }: BootstrapOptions): Promise<Bootstrapped> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      await transaction.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.bootstrap]);
      const [first] = await transaction.find(ProjectEntity, { order: { created_at: 'ASC', id: 'ASC' }, take: 1 });
      const projectId = first?.id ?? (await makeProject(transaction));
      const isFirst = first === undefined;
      const warnings: string[] = [];
      const accessToken = projectAccessToken ?? (isFirst ? newCredential('agt_') : null);
      if (accessToken !== null) {
        const revokedAt = await this.setToken(transaction, projectId, accessToken, projectAccessToken !== undefined);
        if (revokedAt !== null) warnings.push(revokedWarning('PROJECT_ACCESS_TOKEN', revokedAt));
      }
      const keyRevokedAt = apiKey === undefined ? null : await setAdminKey(transaction, apiKey, true);
      if (keyRevokedAt !== null) warnings.push(revokedWarning('API_KEY', keyRevokedAt));
      const givenKey = keyRevokedAt === null ? apiKey : undefined;
      const key = givenKey ?? ((await hasAdminKey(transaction)) ? null : newCredential('agk_'));
      if (key !== null && key !== givenKey) await setAdminKey(transaction, key, false);
      await ensureTestAgentKey(transaction, this.secrets);
      if (administrator) await this.ensureAdministrator(transaction, administrator);
      const setupCode = await renewSetupCode(transaction);
      return { firstStart: isFirst, accessToken: isFirst ? accessToken : null, apiKey: key, setupCode, warnings };
    });
  }

  /** @returns when the token was revoked, or null if it is valid. */
  private async setToken(
    transaction: EntityManager,
    projectId: string,
    token: string,
    fromEnvironment: boolean,
  ): Promise<Date | null> {
    const hash = hashCredential(token);
    const id = v7();
    if (fromEnvironment) await replaceOthers(transaction, 'access_tokens', hash);
    const name = fromEnvironment ? 'From the environment' : 'First token';
    const [row]: { project_id: string; revoked_at: Date | null }[] = await transaction.query(
      `INSERT INTO access_tokens (id, project_id, name, hash, encrypted, hint, from_environment)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (hash) DO UPDATE SET ${restored('access_tokens')} RETURNING project_id, revoked_at`,
      [id, projectId, name, hash, this.secrets.seal(token, tokenPurpose(id)), token.slice(-4), fromEnvironment],
    );
    if (row!.project_id !== projectId) {
      throw new Error('PROJECT_ACCESS_TOKEN is the token of another project than the first. Choose another value.');
    }
    return row!.revoked_at;
  }

  private async ensureAdministrator(transaction: EntityManager, { email, password }: Administrator): Promise<void> {
    if (await transaction.existsBy(UserEntity, { email: email.toLowerCase() })) return;
    const fault = await newPasswordFault(password, { email });
    if (fault !== null) throw new ConfigurationError(`The value of ADMIN_PASSWORD ${fault}`);
    const passwordHash = await this.passwords.hash(password, 'known');
    await addUser(transaction, { email, name: 'Administrator', passwordHash, isAdmin: true, isVerified: true });
  }
}

/** Restores a value that was only replaced through the environment. A value that someone revoked stays revoked. */
const restored = (table: string): string =>
  `revoked_at = CASE WHEN ${table}.is_replaced THEN NULL ELSE ${table}.revoked_at END, is_replaced = false`;

/** Revokes the values that earlier starts took from the environment. */
async function replaceOthers(
  transaction: EntityManager,
  table: 'access_tokens' | 'api_keys',
  hash: Buffer,
): Promise<void> {
  await transaction.query(
    `UPDATE ${table} SET revoked_at = now(), is_replaced = true
     WHERE from_environment AND hash <> $1 AND revoked_at IS NULL`,
    [hash],
  );
}

const revokedWarning = (setting: string, at: Date): string =>
  `The value of ${setting} was revoked on ${at.toISOString().slice(0, 10)} and stays revoked. ` +
  'Set another value, or remove the setting.';

async function makeProject(transaction: EntityManager): Promise<string> {
  const id = v7();
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  await transaction.insert(ProjectEntity, { id, name: 'My site', time_zone: timeZone });
  await addDefaultAlerts(transaction, id);
  return id;
}

const hasAdminKey = (transaction: EntityManager): Promise<boolean> =>
  transaction.existsBy(ApiKeyEntity, {
    admin: true,
    scopes: ArrayContains([...API_KEY_SCOPES]),
    revoked_at: IsNull(),
    expires_at: IsNull(),
  });

/** @returns when the key was revoked, or null if it is valid. */
async function setAdminKey(transaction: EntityManager, key: string, fromEnvironment: boolean): Promise<Date | null> {
  const hash = hashCredential(key);
  if (fromEnvironment) await replaceOthers(transaction, 'api_keys', hash);
  const name = fromEnvironment ? 'From the environment' : 'First key';
  const [row]: { revoked_at: Date | null }[] = await transaction.query(
    `INSERT INTO api_keys (id, name, hash, admin, scopes, from_environment) VALUES ($1, $2, $3, true, $5, $4)
     ON CONFLICT (hash) DO UPDATE SET ${restored('api_keys')}, admin = true RETURNING revoked_at`,
    [v7(), name, hash, fromEnvironment, API_KEY_SCOPES],
  );
  return row!.revoked_at;
}
