import { Inject, Injectable } from '@nestjs/common';
import type { SetupCode, User } from '#libs/contracts';
import { ADVISORY_LOCKS, connectionPool, PasswordResetEntity, UserEntity } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';
import { addUser, type NewUser } from '../access/new-user.repository.js';
import { SESSION_DAYS } from '../access/session-days.js';
import { lockPeople } from '../access/rights.repository.js';
import { hashTypedCode, newTypedCode } from './typed-code.js';

const SETUP_CODE_HOURS = 24;

const EXPIRING = [
  'user_sessions',
  'user_verifications',
  'project_invitations',
  'passkey_challenges',
  'password_resets',
  'pending_sign_ins',
  'setup_code',
] as const;

/** People, and the code that makes the first of them an administrator. */
@Injectable()
export class AccountsRepository {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(SESSION_DAYS) private readonly days: number,
  ) {}

  get pool() {
    return connectionPool(this.dataSource);
  }

  /** Whether there is no administrator yet. */
  async isSetupRequired(): Promise<boolean> {
    return isWithoutAdministrator(this.dataSource.manager);
  }

  async find(email: string): Promise<User | null> {
    return this.dataSource.manager.findOne(UserEntity, {
      select: { id: true, email: true, name: true, is_admin: true },
      where: { email: email.toLowerCase() },
    });
  }

  async isSetupCode(code: string, manager = this.dataSource.manager): Promise<boolean> {
    const matching: unknown[] = await manager.query(`SELECT FROM setup_code WHERE hash = $1 AND expires_at > now()`, [
      hashTypedCode(code),
    ]);
    return matching.length > 0;
  }

  /** Creates the first administrator, and only one. The code stays valid when the address already has an account. */
  async setUp(code: string, user: NewUser): Promise<User | 'wrong-code' | 'already-set-up' | 'known'> {
    return this.dataSource.transaction(async (transaction) => {
      await transaction.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.firstAccount]);
      if (!(await isWithoutAdministrator(transaction))) return 'already-set-up';
      if (!(await this.isSetupCode(code, transaction))) return 'wrong-code';
      const added = await addUser(transaction, user);
      if (added !== null) await transaction.query(`DELETE FROM setup_code`);
      return added ?? 'known';
    });
  }

  /** Replaces an earlier code. @returns null when there already is an administrator. */
  async newSetupCode(): Promise<SetupCode | null> {
    return this.dataSource.transaction((transaction) => renewSetupCode(transaction));
  }

  /** Counts a new session as confirmed no later than this, in seconds since 1970; null: not at all. */
  async setConfirmed(sessionToken: string, at: number | null): Promise<void> {
    await this.dataSource.query(
      `UPDATE user_sessions SET confirmed_at = least(confirmed_at, to_timestamp($2)) WHERE token = $1`,
      [sessionToken, at ?? 0],
    );
  }

  /** What a session was opened by; undefined where it has ended. */
  async openingOf(sessionId: string): Promise<string | undefined> {
    const [session]: { opened_by: string }[] = await this.dataSource.query(
      `SELECT opened_by FROM user_sessions WHERE id = $1`,
      [sessionId],
    );
    return session?.opened_by;
  }

  /** @param token of their session. */
  async findBySession(token: string): Promise<User | null> {
    const [user]: User[] = await this.dataSource.query(
      `SELECT u.id, u.email, u.name, u.is_admin FROM user_sessions s JOIN users u ON u.id = s.user_id WHERE s.token = $1`,
      [token],
    );
    return user ?? null;
  }

  /** Makes the session's user an administrator if their address is verified and one of these. */
  async makeAdministrator(sessionToken: string, emails: readonly string[]): Promise<void> {
    await this.dataSource.query(
      `UPDATE users SET is_admin = true, updated_at = now() FROM user_sessions s
       WHERE s.token = $1 AND users.id = s.user_id AND email = ANY ($2::text[]) AND email_verified AND NOT is_admin`,
      [sessionToken, emails],
    );
  }

  /**
   * Whether the account has a login with the provider, of any issuer, that is another subject's. A login whose issuer is
   * unknown counts as the subject's when the subject is the same.
   */
  async hasOtherLogin(userId: string, provider: string, subject: string): Promise<boolean> {
    const rows: unknown[] = await this.dataSource.query(
      `SELECT FROM user_logins WHERE user_id = $1 AND provider = $2 AND subject <> '#' || $3 LIMIT 1`,
      [userId, provider, subject],
    );
    return rows.length > 0;
  }

  /**
   * Whether an account has a second factor that is its owner's: of an address that was not verified, it may be of somebody
   * who took the address before.
   */
  async isGuarded(userId: string): Promise<boolean> {
    const rows: unknown[] = await this.dataSource.query(
      `SELECT FROM second_factors f JOIN users u ON u.id = f.user_id
       WHERE u.id = $1 AND u.email_verified AND f.active_since IS NOT NULL`,
      [userId],
    );
    return rows.length > 0;
  }

  /** Ends what was begun with the former password: the link that resets it, and sign-ins that wait for their second step. */
  async endPasswordLeftovers(userId: string): Promise<void> {
    await this.dataSource.manager.delete(PasswordResetEntity, userId);
    await this.dataSource.query(`DELETE FROM pending_sign_ins WHERE user_id = $1`, [userId]);
  }

  /** Deletes what has expired, which no longer opens anything. */
  async deleteExpired(): Promise<void> {
    for (const table of EXPIRING) await this.dataSource.query(`DELETE FROM ${table} WHERE expires_at < now()`);
    await this.dataSource.query(`DELETE FROM user_sessions WHERE created_at < now() - make_interval(days => $1)`, [
      this.days,
    ]);
  }

  /**
   * Prepares the account of an address for its owner. If the address was not verified, the person who created it can
   * no longer sign in to it, their second factor and passkeys go, and their API keys that act as the account end. A login whose issuer is unknown makes way
   * for one whose issuer is known.
   *
   * @param email the address that the provider calls verified; null for an account that was made for it just now.
   * @throws Error when the account was given another address meanwhile, which would count as verified.
   */
  async prepareLogin(userId: string, provider: string, email: string | null): Promise<void> {
    await this.dataSource.transaction(async (transaction) => {
      await lockPeople(transaction, [userId]);
      if (email !== null && !(await transaction.existsBy(UserEntity, { id: userId, email: email.toLowerCase() }))) {
        throw new Error('the e-mail address of an account changed during a sign-in to it');
      }
      await transaction.query(
        `WITH unverified AS (SELECT id FROM users WHERE id = $1 AND NOT email_verified),
           sessions AS (DELETE FROM user_sessions USING unverified WHERE user_id = unverified.id),
           resets AS (DELETE FROM password_resets USING unverified WHERE user_id = unverified.id),
           pending AS (DELETE FROM pending_sign_ins USING unverified WHERE user_id = unverified.id),
           passkeys AS (DELETE FROM passkeys USING unverified WHERE user_id = unverified.id),
           factors AS (DELETE FROM second_factors USING unverified WHERE user_id = unverified.id),
           keys AS (
             UPDATE api_keys SET revoked_at = now() FROM unverified WHERE acts_as = unverified.id AND revoked_at IS NULL
           )
         DELETE FROM user_logins l WHERE user_id = $1
           AND (user_id IN (SELECT id FROM unverified) OR (provider = $2 AND starts_with(subject, '#')))`,
        [userId, provider],
      );
    });
  }
}

/** @returns null when there already is an administrator. */
export async function renewSetupCode(transaction: EntityManager): Promise<SetupCode | null> {
  await transaction.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.firstAccount]);
  if (!(await isWithoutAdministrator(transaction))) return null;
  const code = newTypedCode();
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
