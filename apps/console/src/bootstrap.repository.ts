import { Injectable } from '@nestjs/common';
import { runAsActor, ConfigurationError } from '#libs/platform';
import {
  ADVISORY_LOCKS,
  ApiKeyEntity,
  auditedTransaction,
  hashCredential,
  generateCredential,
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
import { ensureTestAgentKey } from './onboarding/test-agent.repository.js';
import { getPasswordFault } from './passwords/new-password.js';
import { PasswordHasher } from './passwords/password-hasher.service.js';
import { tokenPurpose } from './projects/tokens.repository.js';
import { ensureStatementKey } from './statements/statement-keys.repository.js';

export interface BootstrapOptions {
  /** Access token for the first project. Stored at every start, unless it was revoked. */
  projectAccessToken?: string | undefined;
  /** Admin API key. Stored at every start, unless it was revoked. */
  apiKey?: string | undefined;
  /** Administrator account to create. An existing account with the same email address isn't changed. */
  administrator?: Administrator | null;
}

export interface Administrator {
  email: string;
  password: string;
}

export interface BootstrapResult {
  firstStart: boolean;
  /** Access token for the first project, either configured or generated. Null unless this is the first start. */
  accessToken: string | null;
  /** Admin key for the caller to save, if it was configured or just generated. Otherwise null. */
  apiKey: string | null;
  /** Code for setting up the first administrator, renewed at every start. Null once an administrator exists. */
  setupCode: SetupCode | null;
  /** Messages to log about environment variables whose values were revoked. */
  warnings: string[];
}

/** Creates the project, access token, admin key and test agent key that every instance needs. */
@Injectable()
export class BootstrapRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly secrets: SecretBox,
    private readonly passwords: PasswordHasher,
  ) {}

  /** Safe to call at every start, even from several processes at the same time. */
  async bootstrap(options: BootstrapOptions): Promise<BootstrapResult> {
    return runAsActor({ type: 'environment', name: 'Setup' }, () => this.ensure(options));
  }

  private async ensure({ projectAccessToken, apiKey, administrator }: BootstrapOptions): Promise<BootstrapResult> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      await transaction.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.bootstrap]);
      const [first] = await transaction.find(ProjectEntity, { order: { created_at: 'ASC', id: 'ASC' }, take: 1 });
      const projectId = first?.id ?? (await createProject(transaction));
      const isFirst = first === undefined;
      const warnings: string[] = [];
      const accessToken = projectAccessToken ?? (isFirst ? generateCredential('agt_') : null);
      if (accessToken !== null) {
        const revokedAt = await this.setToken(transaction, projectId, accessToken, projectAccessToken !== undefined);
        if (revokedAt !== null) warnings.push(createRevokedWarning('PROJECT_ACCESS_TOKEN', revokedAt));
      }
      const keyRevokedAt = apiKey === undefined ? null : await setAdminKey(transaction, apiKey, true);
      if (keyRevokedAt !== null) warnings.push(createRevokedWarning('API_KEY', keyRevokedAt));
      const configuredKey = keyRevokedAt === null ? apiKey : undefined;
      const key = configuredKey ?? ((await hasAdminKey(transaction)) ? null : generateCredential('agk_'));
      if (key !== null && key !== configuredKey) await setAdminKey(transaction, key, false);
      await ensureTestAgentKey(transaction, this.secrets);
      await ensureStatementKey(transaction, this.secrets);
      if (administrator) await this.ensureAdministrator(transaction, administrator);
      const setupCode = await renewSetupCode(transaction);
      return { firstStart: isFirst, accessToken: isFirst ? accessToken : null, apiKey: key, setupCode, warnings };
    });
  }

  /** Returns the time when the token was revoked, or null if it's valid. */
  private async setToken(
    transaction: EntityManager,
    projectId: string,
    token: string,
    fromEnvironment: boolean,
  ): Promise<Date | null> {
    const hash = hashCredential(token);
    const id = v7();
    if (fromEnvironment) await revokeOthers(transaction, 'access_tokens', hash);
    const name = fromEnvironment ? 'Environment variable' : 'First token';
    const [row]: { project_id: string; revoked_at: Date | null }[] = await transaction.query(
      `INSERT INTO access_tokens (id, project_id, name, hash, encrypted, hint, from_environment)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (hash) DO UPDATE SET ${restoreReplaced('access_tokens')} RETURNING project_id, revoked_at`,
      [id, projectId, name, hash, this.secrets.seal(token, tokenPurpose(id)), token.slice(-4), fromEnvironment],
    );
    if (row!.project_id !== projectId) {
      throw new Error('PROJECT_ACCESS_TOKEN belongs to a project other than the first one. Set another value.');
    }
    return row!.revoked_at;
  }

  private async ensureAdministrator(transaction: EntityManager, { email, password }: Administrator): Promise<void> {
    if (await transaction.existsBy(UserEntity, { email: email.toLowerCase() })) return;
    const fault = await getPasswordFault(password, { email });
    if (fault !== null) throw new ConfigurationError(`The value of ADMIN_PASSWORD ${fault}`);
    const passwordHash = await this.passwords.hash(password, 'known');
    await addUser(transaction, { email, name: 'Administrator', passwordHash, isAdmin: true, isVerified: true });
  }
}

/**
 * Restores a value that was only replaced by another one from the environment. Values revoked by people stay revoked.
 */
const restoreReplaced = (table: string): string =>
  `revoked_at = CASE WHEN ${table}.is_replaced THEN NULL ELSE ${table}.revoked_at END, is_replaced = false`;

/** Revokes values that were set in the environment at earlier starts. */
async function revokeOthers(
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

const createRevokedWarning = (setting: string, at: Date): string =>
  `The value of ${setting} was revoked on ${at.toISOString().slice(0, 10)} and stays revoked. ` +
  'Set another value, or remove the setting.';

async function createProject(transaction: EntityManager): Promise<string> {
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

/** Returns the time when the key was revoked, or null if it's valid. */
async function setAdminKey(transaction: EntityManager, key: string, fromEnvironment: boolean): Promise<Date | null> {
  const hash = hashCredential(key);
  if (fromEnvironment) await revokeOthers(transaction, 'api_keys', hash);
  const name = fromEnvironment ? 'Environment variable' : 'First key';
  const [row]: { revoked_at: Date | null }[] = await transaction.query(
    `INSERT INTO api_keys (id, name, hash, admin, scopes, from_environment) VALUES ($1, $2, $3, true, $5, $4)
     ON CONFLICT (hash) DO UPDATE SET ${restoreReplaced('api_keys')}, admin = true RETURNING revoked_at`,
    [v7(), name, hash, fromEnvironment, API_KEY_SCOPES],
  );
  return row!.revoked_at;
}
