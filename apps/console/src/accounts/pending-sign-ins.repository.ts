import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { changeRows, countChanged, hashCredential } from '#libs/database';
import { DataSource } from 'typeorm';
import type { User } from '#libs/contracts';

export const PENDING_MINUTES = 10;
/** Wrong codes after which the password is asked for again. */
const MAX_ATTEMPTS = 5;

/** Sign-ins whose password was right, and that wait for their second step. They open nothing. */
@Injectable()
export class PendingSignInsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** @returns a token for the browser, which is not stored. */
  async create(userId: string): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    await this.dataSource.query(
      `INSERT INTO pending_sign_ins (hash, user_id, expires_at) VALUES ($1, $2, now() + make_interval(mins => $3))`,
      [hashCredential(token), userId, PENDING_MINUTES],
    );
    return token;
  }

  /** Counts an attempt before its code is looked at. @returns whose sign-in it is; null when it is over. */
  async attempt(token: string): Promise<User | null> {
    const rows = await changeRows<User>(
      this.dataSource,
      `UPDATE pending_sign_ins p SET attempts = attempts + 1 FROM users u
       WHERE p.hash = $1 AND p.expires_at > now() AND p.attempts < $2 AND u.id = p.user_id
       RETURNING u.id, u.email, u.name, u.is_admin`,
      [hashCredential(token), MAX_ATTEMPTS],
    );
    return rows[0] ?? null;
  }

  /** Uses it up. @returns whether it was still there: of several requests, one gets the session. */
  async finish(token: string): Promise<boolean> {
    const finished = await countChanged(
      this.dataSource,
      `DELETE FROM pending_sign_ins WHERE hash = $1 AND expires_at > now()`,
      [hashCredential(token)],
    );
    return finished > 0;
  }
}
