import { Injectable } from '@nestjs/common';
import type { SetupCode, User } from '#libs/contracts';
import { connectionPool } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';
import { addUser, type NewUser } from '../access/new-user.repository.js';
import { hashSetupCode, newSetupCode, SETUP_CODE_HOURS } from './setup-code.js';

/** Key of the advisory lock under which the first account is made, once. */
const SETUP_LOCK = 4_116_820_614;

const EXPIRING = [
  'user_sessions',
  'user_verifications',
  'project_invitations',
  'password_resets',
  'setup_code',
] as const;

/** People, and the code that makes the first administrator of them. */
@Injectable()
export class AccountsRepository {
  constructor(private readonly dataSource: DataSource) {}

  get pool() {
    return connectionPool(this.dataSource);
  }

  /** Whether nobody administers the instance by signing in. */
  async isSetupRequired(): Promise<boolean> {
    return isWithoutAdministrator(this.dataSource.manager);
  }

  async find(email: string): Promise<User | null> {
    const [user]: User[] = await this.dataSource.query(`SELECT id, email, name, is_admin FROM users WHERE email = $1`, [
      email.toLowerCase(),
    ]);
    return user ?? null;
  }

  /** Makes the first administrator; of several at once it is one. The code is kept where the address has an account. */
  async setUp(code: string, user: NewUser): Promise<User | 'wrong-code' | 'done-before' | 'known'> {
    return this.dataSource.transaction(async (transaction) => {
      await transaction.query('SELECT pg_advisory_xact_lock($1)', [SETUP_LOCK]);
      if (!(await isWithoutAdministrator(transaction))) return 'done-before';
      const fitting: unknown[] = await transaction.query(
        `SELECT FROM setup_code WHERE hash = $1 AND expires_at > now()`,
        [hashSetupCode(code)],
      );
      if (fitting.length === 0) return 'wrong-code';
      const added = await addUser(transaction, user);
      if (added !== null) await transaction.query(`DELETE FROM setup_code`);
      return added ?? 'known';
    });
  }

  /** In place of an earlier one. @returns null when there is an administrator already. */
  async newSetupCode(): Promise<SetupCode | null> {
    return this.dataSource.transaction((transaction) => renewSetupCode(transaction));
  }

  /** Makes an administrator of whoever has the session, if theirs is one of the addresses and vouched for. */
  async makeAdministrator(sessionToken: string, emails: readonly string[]): Promise<void> {
    await this.dataSource.query(
      `UPDATE users SET is_admin = true, updated_at = now() FROM user_sessions s
       WHERE s.token = $1 AND users.id = s.user_id AND email = ANY ($2::text[]) AND email_verified AND NOT is_admin`,
      [sessionToken, emails],
    );
  }

  /**
   * Whether the account has a login of the provider, of any issuer, that is not the subject's. One of which the issuer is
   * not known counts as the subject's if it may be.
   */
  async hasOtherLogin(userId: string, provider: string, subject: string): Promise<boolean> {
    const rows: unknown[] = await this.dataSource.query(
      `SELECT FROM user_logins WHERE user_id = $1 AND provider = $2 AND subject <> '#' || $3 LIMIT 1`,
      [userId, provider, subject],
    );
    return rows.length > 0;
  }

  /** A link that resets a password ends with the password that it was made for. */
  async forgetPasswordReset(userId: string): Promise<void> {
    await this.dataSource.query(`DELETE FROM password_resets WHERE user_id = $1`, [userId]);
  }

  /** Whatever has ended by itself: it opens nothing any more. */
  async forgetExpired(): Promise<void> {
    for (const table of EXPIRING) await this.dataSource.query(`DELETE FROM ${table} WHERE expires_at < now()`);
  }

  /**
   * Before the owner of an address comes to the account that has it: whoever made it under an address that nobody
   * vouched for can't sign in any more, and a login whose issuer is not known gives way to one whose issuer is.
   */
  async prepareLogin(userId: string, provider: string): Promise<void> {
    await this.dataSource.query(
      `WITH unverified AS (SELECT id FROM users WHERE id = $1 AND NOT email_verified),
         sessions AS (DELETE FROM user_sessions USING unverified WHERE user_id = unverified.id)
       DELETE FROM user_logins l WHERE user_id = $1
         AND (user_id IN (SELECT id FROM unverified) OR (provider = $2 AND starts_with(subject, '#')))`,
      [userId, provider],
    );
  }
}

/** @returns null when there is an administrator already. */
export async function renewSetupCode(transaction: EntityManager): Promise<SetupCode | null> {
  await transaction.query('SELECT pg_advisory_xact_lock($1)', [SETUP_LOCK]);
  if (!(await isWithoutAdministrator(transaction))) return null;
  const code = newSetupCode();
  const [{ expires_at: expiresAt }]: [{ expires_at: Date }] = await transaction.query(
    `INSERT INTO setup_code (hash, expires_at) VALUES ($1, now() + make_interval(hours => $2))
     ON CONFLICT (is_only) DO UPDATE SET hash = excluded.hash, expires_at = excluded.expires_at
     RETURNING expires_at`,
    [hashSetupCode(code), SETUP_CODE_HOURS],
  );
  return { code, expires_at: expiresAt.toISOString() };
}

async function isWithoutAdministrator(manager: EntityManager): Promise<boolean> {
  const rows: unknown[] = await manager.query(`SELECT FROM users WHERE is_admin LIMIT 1`);
  return rows.length === 0;
}
