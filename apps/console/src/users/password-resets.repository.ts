import { Inject, Injectable } from '@nestjs/common';
import type { OpenPasswordReset, User } from '#libs/contracts';
import { hashCredential, newCredential } from '#libs/database';
import { DataSource } from 'typeorm';
import { v7 } from 'uuid';

/** Hours for which a link can be used. */
const HOURS = 24;

/** Links by which people choose a new password. */
@Injectable()
export class PasswordResetsRepository {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  /** In place of an earlier one. @returns the token, which is kept nowhere; null when there is no such user. */
  async create(userId: string): Promise<{ token: string; expires_at: string } | null> {
    const token = newCredential('agr_');
    const [row]: { expires_at: Date }[] = await this.dataSource.query(
      `INSERT INTO password_resets (user_id, hash, expires_at)
       SELECT id, $2, now() + make_interval(hours => $3) FROM users WHERE id = $1
       ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash, expires_at = excluded.expires_at
       RETURNING expires_at`,
      [userId, hashCredential(token), HOURS],
    );
    return row === undefined ? null : { token, expires_at: row.expires_at.toISOString() };
  }

  /** @returns null for one that is unknown, used, replaced or too old. */
  async find(token: string): Promise<OpenPasswordReset | null> {
    const [row]: { email: string; expires_at: Date }[] = await this.dataSource.query(
      `SELECT u.email, r.expires_at FROM password_resets r JOIN users u ON u.id = r.user_id
       WHERE r.hash = $1 AND r.expires_at > now()`,
      [hashCredential(token)],
    );
    return row === undefined ? null : { email: row.email, expires_at: row.expires_at.toISOString() };
  }

  /** Ends all sessions of the user. @returns null as {@link find}. */
  async use(token: string, passwordHash: string): Promise<User | null> {
    return this.dataSource.transaction(async (transaction) => {
      const [rows]: [{ user_id: string }[], number] = await transaction.query(
        `DELETE FROM password_resets WHERE hash = $1 AND expires_at > now() RETURNING user_id`,
        [hashCredential(token)],
      );
      const userId = rows[0]?.user_id;
      if (userId === undefined) return null;
      await transaction.query(
        `INSERT INTO user_logins AS l (id, user_id, provider, subject, password) VALUES ($1, $2, 'credential', $3, $4)
         ON CONFLICT (provider, subject) DO UPDATE SET password = excluded.password, updated_at = now()`,
        [v7(), userId, userId, passwordHash],
      );
      await transaction.query(`DELETE FROM user_sessions WHERE user_id = $1`, [userId]);
      const [user]: User[] = await transaction.query(`SELECT id, email, name, is_admin FROM users WHERE id = $1`, [
        userId,
      ]);
      return user!;
    });
  }
}
