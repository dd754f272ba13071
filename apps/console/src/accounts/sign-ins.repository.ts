import { Injectable } from '@nestjs/common';
import type { User } from '#libs/contracts';
import { auditedTransaction, changeRows, countChanged, hashCredential } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 } from 'uuid';
import type { SessionUser } from '../access/principal.js';
import { lockPeople, requireOpenSession } from '../access/rights.repository.js';
import { newSessionToken } from '../access/sessions.repository.js';
import { SESSION_SECONDS } from '../access/session-cookie.js';

export const PENDING_MINUTES = 10;
/** Maximum number of codes per pending sign-in. After that, the password is required again. */
const MAX_ATTEMPTS = 5;
/** Maximum stored length of a User-Agent header, in characters. */
const MAX_USER_AGENT = 500;

export type Proof =
  /** Hash of the password that was verified. */
  | { by: 'password'; hash: string }
  /** A password, then a second-factor code. `pending` is the token from {@link Opened}. */
  | { by: 'code'; pending: string }
  | { by: 'passkey' }
  /** Time of authentication at the OpenID provider, in seconds since the epoch. Null if unknown. */
  | { by: 'provider'; at: number | null };

export interface Client {
  address: string;
  userAgent: string;
}

/** Token of a session, or of a sign-in that is waiting for the second factor. Only hashes are stored. */
type Opened = { session: string } | { pending: string };

interface NewSession {
  userId: string;
  openedBy: string;
  /** Time of identity confirmation, in seconds since the epoch. Default: now. */
  confirmedAt?: number;
}

@Injectable()
export class SignInsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Opens a session. With a password and an active second factor, opens a pending sign-in instead. Only this method
   * makes that decision. The lock keeps the password and the second factor from changing in the meantime.
   *
   * @returns null if the account is gone, the password has changed, or the pending sign-in has ended.
   */
  async open(userId: string, proof: Proof, client: Client): Promise<Opened | null> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      if (!(await lockPeople(transaction, [userId])).has(userId)) return null;
      if (proof.by === 'password') {
        if (!(await isPassword(transaction, userId, proof.hash))) return null;
        if (await hasSecondFactor(transaction, userId)) return { pending: await insertPending(transaction, userId) };
      }
      if (proof.by === 'code' && !(await deletePending(transaction, userId, proof.pending))) return null;
      const session = await insertSession(transaction, client, {
        userId,
        openedBy: proof.by === 'code' ? 'password' : proof.by,
        ...(proof.by === 'provider' && { confirmedAt: proof.at ?? 0 }),
      });
      return { session };
    });
  }

  /**
   * Counts an attempt at a second-factor code. Call before checking the code.
   *
   * @returns the account of the pending sign-in, or null if the sign-in has ended.
   */
  async attempt(pending: string): Promise<User | null> {
    const rows = await changeRows<User>(
      this.dataSource,
      `UPDATE pending_sign_ins p SET attempts = attempts + 1 FROM users u
       WHERE p.hash = $1 AND p.expires_at > now() AND p.attempts < $2 AND u.id = p.user_id
       RETURNING u.id, u.email, u.name, u.is_admin`,
      [hashCredential(pending), MAX_ATTEMPTS],
    );
    return rows[0] ?? null;
  }

  /**
   * Replaces the password. Deletes all sessions, reset links and pending sign-ins of the account. Opens a new session with
   * the current one's `opened_by`.
   *
   * @returns the token of the new session, or null if the password has already changed.
   */
  async changePassword(
    user: SessionUser,
    { former, next }: { former: string; next: string },
    client: Client,
  ): Promise<string | null> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      await requireOpenSession(transaction, user);
      const changed = await countChanged(
        transaction,
        `UPDATE user_logins SET password = $3, updated_at = now()
         WHERE user_id = $1 AND provider = 'credential' AND password = $2`,
        [user.id, former, next],
      );
      if (changed === 0) return null;
      const sessions = await changeRows<{ id: string; opened_by: string }>(
        transaction,
        `DELETE FROM user_sessions WHERE user_id = $1 RETURNING id, opened_by`,
        [user.id],
      );
      for (const table of ['password_resets', 'pending_sign_ins']) {
        await transaction.query(`DELETE FROM ${table} WHERE user_id = $1`, [user.id]);
      }
      const current = sessions.find(({ id }) => id === user.sessionId)!;
      return insertSession(transaction, client, { userId: user.id, openedBy: current.opened_by });
    });
  }
}

async function isPassword(transaction: EntityManager, userId: string, hash: string): Promise<boolean> {
  const rows: unknown[] = await transaction.query(`SELECT FROM user_logins WHERE user_id = $1 AND password = $2`, [
    userId,
    hash,
  ]);
  return rows.length > 0;
}

async function hasSecondFactor(transaction: EntityManager, userId: string): Promise<boolean> {
  const rows: unknown[] = await transaction.query(
    `SELECT FROM second_factors WHERE user_id = $1 AND active_since IS NOT NULL`,
    [userId],
  );
  return rows.length > 0;
}

async function insertPending(transaction: EntityManager, userId: string): Promise<string> {
  const token = newSessionToken();
  await transaction.query(
    `INSERT INTO pending_sign_ins (hash, user_id, expires_at) VALUES ($1, $2, now() + make_interval(mins => $3))`,
    [hashCredential(token), userId, PENDING_MINUTES],
  );
  return token;
}

/** @returns false if the sign-in has ended. Of several concurrent requests, only one gets the session. */
async function deletePending(transaction: EntityManager, userId: string, token: string): Promise<boolean> {
  const deleted = await countChanged(
    transaction,
    `DELETE FROM pending_sign_ins WHERE hash = $1 AND user_id = $2 AND expires_at > now()`,
    [hashCredential(token), userId],
  );
  return deleted > 0;
}

async function insertSession(
  transaction: EntityManager,
  { address, userAgent }: Client,
  { userId, openedBy, confirmedAt }: NewSession,
): Promise<string> {
  const token = newSessionToken();
  await transaction.query(
    `INSERT INTO user_sessions (id, user_id, hash, expires_at, address, user_agent, opened_by, confirmed_at)
     VALUES ($1, $2, $3, now() + make_interval(secs => $4), $5, $6, $7, least(now(), to_timestamp($8)))`,
    [
      v7(),
      userId,
      hashCredential(token),
      SESSION_SECONDS,
      address,
      userAgent.slice(0, MAX_USER_AGENT),
      openedBy,
      confirmedAt ?? null,
    ],
  );
  return token;
}
