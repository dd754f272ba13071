import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { MAX_PASSKEYS, type Passkey, type User } from '#libs/contracts';
import { auditedTransaction, executeReturning, executeAndCount, hashCredential } from '#libs/database';
import { DataSource } from 'typeorm';
import { v7 } from 'uuid';
import type { SessionUser } from '../access/principal.js';
import { isAdministrator, requireOpenSession, permissionLost } from '../access/permissions.repository.js';

export const CHALLENGE_SECONDS = 300;

/** Stored passkey, its owner, and the data for verifying its signatures. */
interface StoredPasskey {
  id: string;
  rpId: string;
  publicKey: Buffer;
  uses: number;
  user: User;
}

interface NewStoredPasskey {
  name: string;
  credentialId: string;
  publicKey: Uint8Array;
  rpId: string;
  uses: number;
}

type Row = Omit<Passkey, 'created_at' | 'last_used_at'> & { created_at: Date; last_used_at: Date | null };

const PASSKEY_COLUMNS = `id, name, rp_id AS host, created_at, last_used_at`;

@Injectable()
export class PasskeysRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns an account's passkeys, oldest first. */
  async list(userId: string): Promise<Passkey[]> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT ${PASSKEY_COLUMNS} FROM passkeys WHERE user_id = $1 ORDER BY created_at, id`,
      [userId],
    );
    return rows.map(toPasskey);
  }

  async listCredentialIds(userId: string): Promise<string[]> {
    const rows: { credential_id: string }[] = await this.dataSource.query(
      `SELECT credential_id FROM passkeys WHERE user_id = $1`,
      [userId],
    );
    return rows.map(({ credential_id: id }) => id);
  }

  /**
   * Stores a challenge.
   *
   * @param userId Account that registers a passkey. Null for a sign-in.
   * @returns A token that identifies the challenge, for the browser's cookie.
   */
  async storeChallenge(challenge: string, userId: string | null): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    await this.dataSource.query(
      `INSERT INTO passkey_challenges (hash, challenge, user_id, expires_at)
       VALUES ($1, $2, $3, now() + make_interval(secs => $4))`,
      [hashCredential(token), challenge, userId, CHALLENGE_SECONDS],
    );
    return token;
  }

  /** Deletes and returns a challenge. Returns null if it is unknown, used, expired, or for another account. */
  async takeChallenge(token: string, userId: string | null): Promise<string | null> {
    const rows = await executeReturning<{ challenge: string }>(
      this.dataSource,
      `DELETE FROM passkey_challenges WHERE hash = $1 AND user_id IS NOT DISTINCT FROM $2::uuid AND expires_at > now()
       RETURNING challenge`,
      [hashCredential(token), userId],
    );
    return rows[0]?.challenge ?? null;
  }

  /**
   * Adds a passkey. Returns `known` if it is already registered, or `full` if the account has reached `MAX_PASSKEYS`.
   */
  async add(user: SessionUser, key: NewStoredPasskey): Promise<Passkey | 'known' | 'full'> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      await requireOpenSession(transaction, user);
      const [{ count }]: [{ count: number }] = await transaction.query(
        `SELECT count(*)::integer AS count FROM passkeys WHERE user_id = $1`,
        [user.id],
      );
      if (count >= MAX_PASSKEYS) return 'full';
      const [row]: Row[] = await transaction.query(
        `INSERT INTO passkeys (id, user_id, name, credential_id, public_key, rp_id, uses)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (credential_id) DO NOTHING RETURNING ${PASSKEY_COLUMNS}`,
        [v7(), user.id, key.name.trim(), key.credentialId, Buffer.from(key.publicKey), key.rpId, key.uses],
      );
      return row === undefined ? 'known' : toPasskey(row);
    });
  }

  async find(credentialId: string): Promise<StoredPasskey | null> {
    const [row]: { id: string; rp_id: string; public_key: Buffer; uses: string; user: User }[] =
      await this.dataSource.query(
        `SELECT p.id, p.rp_id, p.public_key, p.uses,
           json_build_object('id', u.id, 'email', u.email, 'name', u.name, 'is_admin', u.is_admin) AS user
         FROM passkeys p JOIN users u ON u.id = p.user_id WHERE p.credential_id = $1`,
        [credentialId],
      );
    if (row === undefined) return null;
    return { id: row.id, rpId: row.rp_id, publicKey: row.public_key, uses: Number(row.uses), user: row.user };
  }

  /**
   * Records a sign-in with a passkey.
   *
   * @param uses Signature counter of the device. Always 0 if the device has no counter.
   * @returns False if the passkey no longer exists, or if the counter hasn't increased, which suggests a cloned key.
   */
  async recordUse(id: string, uses: number): Promise<boolean> {
    const used = await executeAndCount(
      this.dataSource,
      `UPDATE passkeys SET uses = $2, last_used_at = now() WHERE id = $1 AND (uses < $2 OR uses = 0 AND $2 = 0)`,
      [id, uses],
    );
    return used > 0;
  }

  async rename(userId: string, id: string, name: string): Promise<boolean> {
    const renamed = await auditedTransaction(this.dataSource, (transaction) =>
      executeAndCount(transaction, `UPDATE passkeys SET name = $3 WHERE user_id = $1 AND id = $2`, [
        userId,
        id,
        name.trim(),
      ]),
    );
    return renamed > 0;
  }

  async remove(userId: string, id: string): Promise<boolean> {
    const removed = await auditedTransaction(this.dataSource, (transaction) =>
      executeAndCount(transaction, `DELETE FROM passkeys WHERE user_id = $1 AND id = $2`, [userId, id]),
    );
    return removed > 0;
  }

  /**
   * Removes all of an account's passkeys and ends the sessions opened with them, in case someone else has one of the
   * devices.
   *
   * @param removedBy ID of the administrator, or null for a program.
   * @returns False if the account had no passkeys and no such sessions.
   * @throws {ProblemError} 403 if the caller is no longer an administrator.
   */
  async removeAll(userId: string, removedBy: string | null): Promise<boolean> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      if (!(await isAdministrator(transaction, removedBy))) throw permissionLost();
      const removed = await executeAndCount(transaction, `DELETE FROM passkeys WHERE user_id = $1`, [userId]);
      const ended = await executeAndCount(
        transaction,
        `DELETE FROM user_sessions WHERE user_id = $1 AND opened_by = 'passkey'`,
        [userId],
      );
      return removed + ended > 0;
    });
  }
}

const toPasskey = (row: Row): Passkey => ({
  ...row,
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
});
