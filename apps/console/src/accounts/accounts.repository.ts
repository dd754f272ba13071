import { Inject, Injectable } from '@nestjs/common';
import type { SetupCode, User } from '#libs/contracts';
import { ADVISORY_LOCKS, auditedTransaction, UserEntity } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';
import { addUser, type NewUser } from '../access/new-user.repository.js';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../console-settings.js';
import { hashTypedCode, createTypedCode } from './typed-code.js';

const SETUP_CODE_HOURS = 24;

const EXPIRING_TABLES = [
  'user_sessions',
  'oidc_sign_ins',
  'project_invitations',
  'passkey_challenges',
  'password_resets',
  'pending_sign_ins',
  'setup_code',
] as const;

@Injectable()
export class AccountsRepository {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONSOLE_SETTINGS) private readonly settings: Pick<ConsoleSettings, 'SESSION_MAX_DAYS'>,
  ) {}

  /** Returns whether the instance still needs its first administrator. */
  async isSetupRequired(): Promise<boolean> {
    return isWithoutAdministrator(this.dataSource.manager);
  }

  /**
   * Returns an account and its password hash by email address. Returns null if the account doesn't exist or has no
   * password.
   */
  async findWithPassword(email: string): Promise<{ user: User; hash: string } | null> {
    const [found]: { user: User; hash: string }[] = await this.dataSource.query(
      `SELECT json_build_object('id', u.id, 'email', u.email, 'name', u.name, 'is_admin', u.is_admin) AS user,
         l.password AS hash
       FROM users u JOIN user_logins l ON l.user_id = u.id WHERE u.email = $1 AND l.password IS NOT NULL`,
      [email.toLowerCase()],
    );
    return found ?? null;
  }

  async isSetupCode(code: string, manager = this.dataSource.manager): Promise<boolean> {
    const matching: unknown[] = await manager.query(`SELECT FROM setup_code WHERE hash = $1 AND expires_at > now()`, [
      hashTypedCode(code),
    ]);
    return matching.length > 0;
  }

  /**
   * Creates the first administrator. Of several concurrent calls, only one succeeds. If the email address already has
   * an account, the code remains valid.
   */
  async setUp(code: string, user: NewUser): Promise<User | 'wrong-code' | 'already-set-up' | 'known'> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      await transaction.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.firstAccount]);
      if (!(await isWithoutAdministrator(transaction))) return 'already-set-up';
      if (!(await this.isSetupCode(code, transaction))) return 'wrong-code';
      const added = await addUser(transaction, user);
      if (added !== null) await transaction.query(`DELETE FROM setup_code`);
      return added ?? 'known';
    });
  }

  /** Creates a setup code that replaces any earlier one. Returns null if the instance already has an administrator. */
  async createSetupCode(): Promise<SetupCode | null> {
    return auditedTransaction(this.dataSource, (transaction) => renewSetupCode(transaction));
  }

  async deleteExpired(): Promise<void> {
    for (const table of EXPIRING_TABLES) await this.dataSource.query(`DELETE FROM ${table} WHERE expires_at < now()`);
    await this.dataSource.query(`DELETE FROM user_sessions WHERE created_at < now() - make_interval(days => $1)`, [
      this.settings.SESSION_MAX_DAYS,
    ]);
  }
}

/** Like {@link AccountsRepository.createSetupCode}, but runs in an existing transaction. */
export async function renewSetupCode(transaction: EntityManager): Promise<SetupCode | null> {
  await transaction.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.firstAccount]);
  if (!(await isWithoutAdministrator(transaction))) return null;
  const code = createTypedCode();
  const [{ expires_at: expiresAt }]: [{ expires_at: Date }] = await transaction.query(
    `INSERT INTO setup_code (hash, expires_at) VALUES ($1, now() + make_interval(hours => $2))
     ON CONFLICT (is_only) DO UPDATE SET hash = excluded.hash, expires_at = excluded.expires_at
     RETURNING expires_at`,
    [hashTypedCode(code), SETUP_CODE_HOURS],
  );
  return { code, expires_at: expiresAt.toISOString() };
}

async function isWithoutAdministrator(manager: EntityManager): Promise<boolean> {
  return !(await manager.existsBy(UserEntity, { is_admin: true }));
}
