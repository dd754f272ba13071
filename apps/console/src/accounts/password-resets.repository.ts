import { Injectable } from '@nestjs/common';
import type { PendingPasswordReset, User } from '#libs/contracts';
import {
  auditedTransaction,
  executeReturning,
  hashCredential,
  generateCredential,
  PasswordResetEntity,
  UserEntity,
} from '#libs/database';
import { DataSource } from 'typeorm';
import { isAdministrator, permissionLost } from '../access/permissions.repository.js';

const LINK_HOURS = 24;

interface CreatedReset {
  email: string;
  /** Secret token in the link. Only its hash is stored. */
  token: string;
  expires_at: string;
}

@Injectable()
export class PasswordResetsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Creates a password reset link that replaces any earlier one.
   *
   * @param creatorId ID of the administrator, or null for a program.
   * @throws {ProblemError} 403 if the caller is no longer an administrator.
   */
  async create(email: string, creatorId: string | null): Promise<CreatedReset | 'unknown' | 'without-password'> {
    const address = email.toLowerCase();
    return auditedTransaction(this.dataSource, async (transaction) => {
      if (!(await isAdministrator(transaction, creatorId))) throw permissionLost();
      const [user]: { id: string; has_password: boolean }[] = await transaction.query(
        `SELECT id, EXISTS (SELECT FROM user_logins l WHERE l.user_id = u.id AND l.password IS NOT NULL) AS has_password
         FROM users u WHERE email = $1`,
        [address],
      );
      if (user === undefined) return 'unknown';
      if (!user.has_password) return 'without-password';
      const token = generateCredential('agr_');
      const [row]: { expires_at: Date }[] = await transaction.query(
        `INSERT INTO password_resets (user_id, hash, expires_at, created_by)
         VALUES ($1, $2, now() + make_interval(hours => $3), $4)
         ON CONFLICT (user_id) DO UPDATE
         SET hash = excluded.hash, expires_at = excluded.expires_at, created_by = excluded.created_by
         RETURNING expires_at`,
        [user.id, hashCredential(token), LINK_HOURS, creatorId],
      );
      return { email: address, token, expires_at: row!.expires_at.toISOString() };
    });
  }

  /** Returns an open reset link, or null if it is unknown, used or expired. */
  async find(token: string): Promise<PendingPasswordReset | null> {
    const [row]: { email: string; expires_at: Date }[] = await this.dataSource.query(
      `SELECT u.email, r.expires_at FROM password_resets r JOIN users u ON u.id = r.user_id
       WHERE r.hash = $1 AND r.expires_at > now()`,
      [hashCredential(token)],
    );
    return row === undefined ? null : { email: row.email, expires_at: row.expires_at.toISOString() };
  }

  /**
   * Sets the password, and deletes the account's sessions, pending sign-ins and passkeys, because someone else may have
   * created them. The second factor remains active.
   *
   * @returns Null if the link is unknown, used or expired, or if its creator is no longer an administrator.
   */
  async use(token: string, passwordHash: string): Promise<User | null> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      const reset = await transaction.findOneBy(PasswordResetEntity, { hash: hashCredential(token) });
      // The check also locks the creator's account, so the creator remains an administrator until the link has been
      // used.
      if (reset === null || !(await isAdministrator(transaction, reset.created_by))) return null;
      const rows = await executeReturning<{ user_id: string }>(
        transaction,
        `DELETE FROM password_resets WHERE hash = $1 AND expires_at > now() RETURNING user_id`,
        [hashCredential(token)],
      );
      const userId = rows[0]?.user_id;
      if (userId === undefined) return null;
      await transaction.query(
        `UPDATE user_logins SET password = $2, updated_at = now() WHERE user_id = $1 AND provider = 'credential'`,
        [userId, passwordHash],
      );
      await transaction.query(`DELETE FROM user_sessions WHERE user_id = $1`, [userId]);
      await transaction.query(`DELETE FROM pending_sign_ins WHERE user_id = $1`, [userId]);
      await transaction.query(`DELETE FROM passkeys WHERE user_id = $1`, [userId]);
      return transaction.findOneOrFail(UserEntity, {
        select: { id: true, email: true, name: true, is_admin: true },
        where: { id: userId },
      });
    });
  }
}
