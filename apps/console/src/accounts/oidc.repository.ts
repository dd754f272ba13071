import { Injectable } from '@nestjs/common';
import type { User } from '#libs/contracts';
import { auditedTransaction, executeReturning, hashCredential, UserEntity } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 } from 'uuid';
import { addUser } from '../access/new-user.repository.js';
import { lockUsers } from '../access/permissions.repository.js';

export const SIGN_IN_SECONDS = 600;

/** Value of the `provider` column for logins with the OpenID provider. */
const PROVIDER = 'oidc';

/** Sign-in that is in progress at the provider. */
export interface OidcSignIn {
  nonce: string;
  codeVerifier: string;
  /** Dashboard path to open after the sign-in. */
  returnTo: string;
  /** Earliest accepted authentication time, in seconds since the epoch. Null to accept any time. */
  confirmsSince: number | null;
}

interface Identity {
  /** Unique ID in the form `<issuer>#<sub>`. */
  subject: string;
  /** Email address that the provider has verified. */
  email: string;
  name: string;
}

/** Stores pending sign-ins with the OpenID provider, and links its identities to accounts. */
@Injectable()
export class OidcRepository {
  constructor(private readonly dataSource: DataSource) {}

  async savePending(state: string, { nonce, codeVerifier, returnTo, confirmsSince }: OidcSignIn): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO oidc_sign_ins (hash, nonce, code_verifier, return_to, confirms_since, expires_at)
       VALUES ($1, $2, $3, $4, to_timestamp($5), now() + make_interval(secs => $6))`,
      [hashCredential(state), nonce, codeVerifier, returnTo, confirmsSince, SIGN_IN_SECONDS],
    );
  }

  /**
   * Deletes and returns a pending sign-in, so it can only be finished once. Returns null if it is unknown, finished or
   * expired.
   */
  async takePending(state: string): Promise<OidcSignIn | null> {
    const [signIn] = await executeReturning<OidcSignIn>(
      this.dataSource,
      `DELETE FROM oidc_sign_ins WHERE hash = $1 AND expires_at > now()
       RETURNING nonce, code_verifier AS "codeVerifier", return_to AS "returnTo",
         extract(epoch FROM confirms_since)::float8 AS "confirmsSince"`,
      [hashCredential(state)],
    );
    return signIn ?? null;
  }

  async find(subject: string): Promise<User | null> {
    const [user]: User[] = await this.dataSource.query(
      `SELECT u.id, u.email, u.name, u.is_admin FROM user_logins l JOIN users u ON u.id = l.user_id
       WHERE l.provider = $1 AND l.subject = $2`,
      [PROVIDER, subject],
    );
    return user ?? null;
  }

  async findByEmail(email: string): Promise<User | null> {
    return this.dataSource.manager.findOne(UserEntity, {
      select: { id: true, email: true, name: true, is_admin: true },
      where: { email: email.toLowerCase() },
    });
  }

  /** Creates an account linked to an identity. Returns null if the email address already has an account. */
  async create({ subject, email, name }: Identity): Promise<User | null> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      const account = { email, name, passwordHash: null, isAdmin: false, isVerified: true };
      const added = await addUser(transaction, account);
      if (added !== null) await insertLogin(transaction, added.id, subject);
      return added;
    });
  }

  /**
   * Links an identity to the account with its email address. If that address wasn't verified, someone else may have
   * created the account. In that case, all of its sign-in methods are removed, and its sessions and personal API keys
   * are revoked.
   *
   * @param isConfirmed Whether this browser has a recently confirmed session for the account, so its second factor
   * isn't required.
   * @returns The reason if the link is rejected: the account requires its second factor, or is linked to another
   * identity.
   * @throws {Error} if the account's address has changed in the meantime, because this identity doesn't verify the new
   * one.
   */
  async link(
    userId: string,
    { subject, email }: Identity,
    isConfirmed: boolean,
  ): Promise<'linked' | 'second_factor' | 'other_identity'> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      await lockUsers(transaction, [userId]);
      if (!(await transaction.existsBy(UserEntity, { id: userId, email: email.toLowerCase() }))) {
        throw new Error('the email address of the account changed during the sign-in');
      }
      if (!isConfirmed && (await requiresSecondFactor(transaction, userId))) return 'second_factor';
      if (await hasOtherIdentity(transaction, userId, subject)) return 'other_identity';
      await resetUnverifiedAccount(transaction, userId);
      await insertLogin(transaction, userId, subject);
      await transaction.query(
        `UPDATE users SET email_verified = true, updated_at = now() WHERE id = $1 AND NOT email_verified`,
        [userId],
      );
      return 'linked';
    });
  }

  /** Makes a user an administrator if their email address is verified and in the list. */
  async makeAdministrator(userId: string, emails: readonly string[]): Promise<void> {
    await auditedTransaction(this.dataSource, (transaction) =>
      transaction.query(
        `UPDATE users SET is_admin = true, updated_at = now()
         WHERE id = $1 AND email = ANY ($2::text[]) AND email_verified AND NOT is_admin`,
        [userId, emails],
      ),
    );
  }
}

/**
 * Returns whether the account requires its second factor. Ignores the second factor of an unverified account, because
 * someone may have registered with another person's address.
 */
async function requiresSecondFactor(transaction: EntityManager, userId: string): Promise<boolean> {
  const rows: unknown[] = await transaction.query(
    `SELECT FROM second_factors f JOIN users u ON u.id = f.user_id
     WHERE u.id = $1 AND u.email_verified AND f.active_since IS NOT NULL`,
    [userId],
  );
  return rows.length > 0;
}

/**
 * Returns whether the account is linked to another identity. This happens if the provider reassigns an email address to
 * someone else.
 */
async function hasOtherIdentity(transaction: EntityManager, userId: string, subject: string): Promise<boolean> {
  const rows: unknown[] = await transaction.query(
    `SELECT FROM user_logins WHERE user_id = $1 AND provider = $2 AND subject <> $3`,
    [userId, PROVIDER, subject],
  );
  return rows.length > 0;
}

async function resetUnverifiedAccount(transaction: EntityManager, userId: string): Promise<void> {
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
     DELETE FROM user_logins USING unverified WHERE user_id = unverified.id`,
    [userId],
  );
}

/** @throws {Error} if the identity was linked to another account in the meantime. */
async function insertLogin(transaction: EntityManager, userId: string, subject: string): Promise<void> {
  const rows: unknown[] = await transaction.query(
    `INSERT INTO user_logins AS l (id, user_id, provider, subject) VALUES ($1, $2, $3, $4)
     ON CONFLICT (provider, subject) DO UPDATE SET updated_at = now() WHERE l.user_id = excluded.user_id RETURNING id`,
    [v7(), userId, PROVIDER, subject],
  );
  if (rows.length === 0) throw new Error('another request linked the identity to another account at the same time');
}
