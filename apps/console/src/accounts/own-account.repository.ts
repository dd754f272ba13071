import { Inject, Injectable } from '@nestjs/common';
import type { OwnAccountChange, OwnSession, User } from '#libs/contracts';
import { recordAuditedAction, auditedTransaction, executeReturning, executeAndCount } from '#libs/database';
import { isUniqueViolation } from '#libs/platform';
import { DataSource } from 'typeorm';
import type { SessionUser } from '../access/principal.js';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../console-settings.js';
import { PasskeysRepository } from './passkeys.repository.js';
import { SecondFactorsRepository } from './second-factors.repository.js';
import { requireOpenSession } from '../access/permissions.repository.js';

/** Sign-in methods of an account, except passkeys. */
export interface Logins {
  /** Password hash, or null if the account has no password. */
  password: string | null;
  /** Whether the account is linked to the OpenID provider. */
  hasProvider: boolean;
}

type SessionRow = Omit<OwnSession, 'created_at' | 'last_seen_at'> & { created_at: Date; last_seen_at: Date };

@Injectable()
export class OwnAccountRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly secondFactors: SecondFactorsRepository,
    private readonly passkeys: PasskeysRepository,
    @Inject(CONSOLE_SETTINGS) private readonly settings: Pick<ConsoleSettings, 'SESSION_MAX_DAYS'>,
  ) {}

  /**
   * Returns the sign-in methods and sessions of an account.
   *
   * @param currentSessionId ID of the session that makes the request.
   */
  async overview(userId: string, currentSessionId: string) {
    const [logins, second_factor, passkeys, sessions] = await Promise.all([
      this.logins(userId),
      this.secondFactors.find(userId),
      this.passkeys.list(userId),
      this.sessions(userId, currentSessionId),
    ]);
    return { logins, second_factor, passkeys, sessions };
  }

  async logins(userId: string): Promise<Logins> {
    const [row]: [Logins] = await this.dataSource.query(
      `SELECT max(password) AS password, coalesce(bool_or(provider <> 'credential'), false) AS "hasProvider"
       FROM user_logins WHERE user_id = $1`,
      [userId],
    );
    return row;
  }

  private async sessions(userId: string, currentSessionId: string): Promise<OwnSession[]> {
    const rows: SessionRow[] = await this.dataSource.query(
      `SELECT id, id = $2 AS is_current, nullif(address, '') AS address, nullif(user_agent, '') AS user_agent,
         created_at, updated_at AS last_seen_at
       FROM user_sessions WHERE user_id = $1 AND expires_at > now() AND created_at > now() - make_interval(days => $3) ORDER BY is_current DESC, updated_at DESC`,
      [userId, currentSessionId, this.settings.SESSION_MAX_DAYS],
    );
    return rows.map((row) => ({
      ...row,
      created_at: row.created_at.toISOString(),
      last_seen_at: row.last_seen_at.toISOString(),
    }));
  }

  /**
   * Changes an account. A new email address is marked as unverified. Returns null if another account already uses the
   * address.
   */
  async change(user: SessionUser, { name, email }: Pick<OwnAccountChange, 'name' | 'email'>): Promise<User | null> {
    try {
      return await auditedTransaction(this.dataSource, async (transaction) => {
        await requireOpenSession(transaction, user);
        const rows = await executeReturning<User>(
          transaction,
          `UPDATE users SET name = coalesce($2, name), email = coalesce($3, email),
             email_verified = email_verified AND email = coalesce($3, email), updated_at = now()
           WHERE id = $1 RETURNING id, email, name, is_admin`,
          [user.id, name?.trim() ?? null, email?.toLowerCase() ?? null],
        );
        return rows[0]!;
      });
    } catch (error) {
      if (isUniqueViolation(error)) return null;
      throw error;
    }
  }

  /** Records that the user confirmed their identity in this session. */
  async confirm({ id, sessionId }: SessionUser): Promise<void> {
    await auditedTransaction(this.dataSource, async (transaction) => {
      await transaction.query(`UPDATE user_sessions SET confirmed_at = now() WHERE id = $1 AND user_id = $2`, [
        sessionId,
        id,
      ]);
      await recordAuditedAction(transaction, { subject: 'session', id: sessionId });
    });
  }

  /** Ends a session. Returns false if it doesn't exist. */
  async endSession(userId: string, id: string): Promise<boolean> {
    const ended = await auditedTransaction(this.dataSource, (transaction) =>
      executeAndCount(transaction, `DELETE FROM user_sessions WHERE user_id = $1 AND id = $2`, [userId, id]),
    );
    return ended > 0;
  }
}
