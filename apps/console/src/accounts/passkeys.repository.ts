import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { MAX_PASSKEYS, type Passkey, type User } from '#libs/contracts';
import { auditedTransaction, changeRows, countChanged, hashCredential } from '#libs/database';
import { DataSource } from 'typeorm';
import { v7 } from 'uuid';
import type { SessionUser } from '../access/principal.js';
import { isAdministrator, requireOpenSession, rightLost } from '../access/rights.repository.js';

export const CHALLENGE_SECONDS = 300;

/** Passkey with its owner and the data for verifying its signatures. */
interface KnownPasskey {
  id: string;
  rpId: string;
  publicKey: Buffer;
  uses: number;
  user: User;
}

interface NewKey {
  name: string;
  credentialId: string;
  publicKey: Uint8Array;
  rpId: string;
  uses: number;
}

type Row = Omit<Passkey, 'created_at' | 'last_used_at'> & { created_at: Date; last_used_at: Date | null };

const FIELDS = `id, name, rp_id AS host, created_at, last_used_at`;

@Injectable()
export class PasskeysRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns the passkeys of an account, oldest first. */
  async list(userId: string): Promise<Passkey[]> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT ${FIELDS} FROM passkeys WHERE user_id = $1 ORDER BY created_at, id`,
      [userId],
    );
    return rows.map(toPasskey);
  }

  async credentialIds(userId: string): Promise<string[]> {
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
   * @returns a token for the browser.
   */
  async keepChallenge(challenge: string, userId: string | null): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    await this.dataSource.query(
      `INSERT INTO passkey_challenges (hash, challenge, user_id, expires_at)
       VALUES ($1, $2, $3, now() + make_interval(secs => $4))`,
      [hashCredential(token), challenge, userId, CHALLENGE_SECONDS],
    );
    return token;
  }

  /** Deletes and returns a challenge. @returns null if it's unknown, used, expired, or for another account. */
  async takeChallenge(token: string, userId: string | null): Promise<string | null> {
    const rows = await changeRows<{ challenge: string }>(
      this.dataSource,
      `DELETE FROM passkey_challenges WHERE hash = $1 AND user_id IS NOT DISTINCT FROM $2::uuid AND expires_at > now()
       RETURNING challenge`,
      [hashCredential(token), userId],
    );
    return rows[0]?.challenge ?? null;
  }

  /** @returns `known` if the passkey is already registered, `full` if the account has reached `MAX_PASSKEYS`. */
  async add(user: SessionUser, key: NewKey): Promise<Passkey | 'known' | 'full'> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      await requireOpenSession(transaction, user);
      const [{ count }]: [{ count: number }] = await transaction.query(
        `SELECT count(*)::integer AS count FROM passkeys WHERE user_id = $1`,
        [user.id],
      );
      if (count >= MAX_PASSKEYS) return 'full';
      const [row]: Row[] = await transaction.query(
        `INSERT INTO passkeys (id, user_id, name, credential_id, public_key, rp_id, uses)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (credential_id) DO NOTHING RETURNING ${FIELDS}`,
        [v7(), user.id, key.name.trim(), key.credentialId, Buffer.from(key.publicKey), key.rpId, key.uses],
      );
      return row === undefined ? 'known' : toPasskey(row);
    });
  }

  async find(credentialId: string): Promise<KnownPasskey | null> {
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
   * Records a sign-in.
   *
   * @param uses Signature counter of the device. Always 0 if the device has none.
   * @returns false if the passkey is gone, or the counter hasn't increased, which suggests a cloned key.
   */
  async use(id: string, uses: number): Promise<boolean> {
    const used = await countChanged(
      this.dataSource,
      `UPDATE passkeys SET uses = $2, last_used_at = now() WHERE id = $1 AND (uses < $2 OR uses = 0 AND $2 = 0)`,
      [id, uses],
    );
    return used > 0;
  }

  /** @returns false if the passkey doesn't exist. */
  async rename(userId: string, id: string, name: string): Promise<boolean> {
    const renamed = await auditedTransaction(this.dataSource, (transaction) =>
      countChanged(transaction, `UPDATE passkeys SET name = $3 WHERE user_id = $1 AND id = $2`, [
        userId,
        id,
        name.trim(),
      ]),
    );
    return renamed > 0;
  }

  /** @returns false if the passkey doesn't exist. */
  async remove(userId: string, id: string): Promise<boolean> {
    const removed = await auditedTransaction(this.dataSource, (transaction) =>
      countChanged(transaction, `DELETE FROM passkeys WHERE user_id = $1 AND id = $2`, [userId, id]),
    );
    return removed > 0;
  }

  /**
   * Removes all passkeys of an account and ends the sessions opened with them. Somebody else may have one of its devices.
   *
   * @param removedBy Administrator, or null for a program.
   * @returns false if there was nothing to remove or end.
   * @throws ProblemError 403 if the caller is no longer an administrator.
   */
  async removeAll(userId: string, removedBy: string | null): Promise<boolean> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      if (!(await isAdministrator(transaction, removedBy))) throw rightLost();
      const removed = await countChanged(transaction, `DELETE FROM passkeys WHERE user_id = $1`, [userId]);
      const ended = await countChanged(
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
