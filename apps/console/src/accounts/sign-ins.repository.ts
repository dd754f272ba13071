import { Injectable } from '@nestjs/common';
import type { User } from '#libs/contracts';
import { auditedTransaction, executeReturning, executeAndCount, hashCredential } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 } from 'uuid';
import type { SessionUser } from '../access/principal.js';
import { lockUsers, requireOpenSession } from '../access/permissions.repository.js';
import { createSessionToken } from '../access/sessions.repository.js';
import { SESSION_SECONDS } from '../access/session-cookie.js';

export const PENDING_MINUTES = 10;
/** Maximum number of codes per pending sign-in. After that, the user must enter their password again. */
const MAX_CODE_ATTEMPTS = 5;
/** Maximum stored length of a `User-Agent` header, in characters. */
const MAX_USER_AGENT_LENGTH = 500;

export type Proof =
  /** A verified password. `hash` is its stored hash. */
  | { by: 'password'; hash: string }
  /** A password followed by a second-factor code. `pending` is the token from {@link OpenedSignIn}. */
  | { by: 'code'; pending: string }
  | { by: 'passkey' }
  /** `at` is the time of authentication at the OpenID provider, in seconds since the epoch. Null if unknown. */
  | { by: 'provider'; at: number | null };

export interface Client {
  address: string;
  userAgent: string;
}

/** Token of a session, or of a sign-in that is waiting for its second factor. Only the hash is stored. */
type OpenedSignIn = { session: string } | { pending: string };

interface NewSession {
  userId: string;
  openedBy: string;
  /** Time of the identity confirmation, in seconds since the epoch. Default: now. */
  confirmedAt?: number;
}

@Injectable()
export class SignInsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Opens a session, or a pending sign-in if the proof is a password and the account has an active second factor. Only
   * this method makes that decision. It locks the account, so the password and the second factor can't change in the
   * meantime.
   *
   * @returns Null if the account no longer exists, the password has changed, or the pending sign-in has ended.
   */
  async open(userId: string, proof: Proof, client: Client): Promise<OpenedSignIn | null> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      if (!(await lockUsers(transaction, [userId])).has(userId)) return null;
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
   * Counts an attempt to enter a second-factor code. Must be called before the code is checked.
   *
   * @returns The account of the pending sign-in, or null if the sign-in has ended.
   */
  async countAttempt(pending: string): Promise<User | null> {
    const rows = await executeReturning<User>(
      this.dataSource,
      `UPDATE pending_sign_ins p SET attempts = attempts + 1 FROM users u
       WHERE p.hash = $1 AND p.expires_at > now() AND p.attempts < $2 AND u.id = p.user_id
       RETURNING u.id, u.email, u.name, u.is_admin`,
      [hashCredential(pending), MAX_CODE_ATTEMPTS],
    );
    return rows[0] ?? null;
  }

  /**
   * Replaces the password, and deletes all of the account's sessions, reset links and pending sign-ins. Opens a new
   * session with the same `opened_by` as the current one.
   *
   * @returns Token of the new session, or null if the password has already changed.
   */
  async changePassword(
    user: SessionUser,
    { former: currentHash, next }: { former: string; next: string },
    client: Client,
  ): Promise<string | null> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      await requireOpenSession(transaction, user);
      const changed = await executeAndCount(
        transaction,
        `UPDATE user_logins SET password = $3, updated_at = now()
         WHERE user_id = $1 AND provider = 'credential' AND password = $2`,
        [user.id, currentHash, next],
      );
      if (changed === 0) return null;
      const sessions = await executeReturning<{ id: string; opened_by: string }>(
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
  const token = createSessionToken();
  await transaction.query(
    `INSERT INTO pending_sign_ins (hash, user_id, expires_at) VALUES ($1, $2, now() + make_interval(mins => $3))`,
    [hashCredential(token), userId, PENDING_MINUTES],
  );
  return token;
}

/**
 * Deletes a pending sign-in. Returns false if it has ended, so only one of several concurrent requests gets a session.
 */
async function deletePending(transaction: EntityManager, userId: string, token: string): Promise<boolean> {
  const deleted = await executeAndCount(
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
  const token = createSessionToken();
  await transaction.query(
    `INSERT INTO user_sessions (id, user_id, hash, expires_at, address, user_agent, opened_by, confirmed_at)
     VALUES ($1, $2, $3, now() + make_interval(secs => $4), $5, $6, $7, least(now(), to_timestamp($8)))`,
    [
      v7(),
      userId,
      hashCredential(token),
      SESSION_SECONDS,
      address,
      userAgent.slice(0, MAX_USER_AGENT_LENGTH),
      openedBy,
      confirmedAt ?? null,
    ],
  );
  return token;
}
