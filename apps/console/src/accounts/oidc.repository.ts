import { Injectable } from '@nestjs/common';
import type { User } from '#libs/contracts';
import { auditedTransaction, changeRows, hashCredential, UserEntity } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 } from 'uuid';
import { addUser } from '../access/new-user.repository.js';
import { lockPeople } from '../access/rights.repository.js';

export const SIGN_IN_SECONDS = 600;

/** Provider of logins with the OpenID provider. */
const PROVIDER = 'oidc';

/** A sign-in while the person is at the provider. */
export interface OidcSignIn {
  nonce: string;
  codeVerifier: string;
  /** Path of the dashboard. */
  returnTo: string;
  /** The provider must have authenticated the person since then, in seconds since 1970. Null: at any time. */
  confirmsSince: number | null;
}

/** An identity at the provider. */
interface Identity {
  /** Issuer, `#`, and ID there. */
  subject: string;
  /** Verified by the provider. */
  email: string;
  name: string;
}

/** Sign-ins at the OpenID provider, and the accounts that they open. */
@Injectable()
export class OidcRepository {
  constructor(private readonly dataSource: DataSource) {}

  async begin(state: string, { nonce, codeVerifier, returnTo, confirmsSince }: OidcSignIn): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO oidc_sign_ins (hash, nonce, code_verifier, return_to, confirms_since, expires_at)
       VALUES ($1, $2, $3, $4, to_timestamp($5), now() + make_interval(secs => $6))`,
      [hashCredential(state), nonce, codeVerifier, returnTo, confirmsSince, SIGN_IN_SECONDS],
    );
  }

  /** Removes a sign-in, so it can be finished only once. @returns null if it is unknown, finished or expired. */
  async take(state: string): Promise<OidcSignIn | null> {
    const [signIn] = await changeRows<OidcSignIn>(
      this.dataSource,
      `DELETE FROM oidc_sign_ins WHERE hash = $1 AND expires_at > now()
       RETURNING nonce, code_verifier AS "codeVerifier", return_to AS "returnTo",
         extract(epoch FROM confirms_since)::float8 AS "confirmsSince"`,
      [hashCredential(state)],
    );
    return signIn ?? null;
  }

  /** Returns the account that an identity opens. */
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

  /** Creates an account that an identity opens. @returns null when the address already has an account. */
  async create({ subject, email, name }: Identity): Promise<User | null> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      const account = { email, name, passwordHash: null, isAdmin: false, isVerified: true };
      const added = await addUser(transaction, account);
      if (added !== null) await insertLogin(transaction, added.id, subject);
      return added;
    });
  }

  /**
   * Opens the account of an address to the owner of the address. If the address was not verified, the person who created
   * the account can no longer sign in to it: their password, sessions, second factor, passkeys and API keys end.
   *
   * @param isConfirmed whether the owner is signed in to the account in this browser and confirmed it lately.
   * @returns why it stays closed: it has a second factor, which was not shown, or another identity.
   * @throws Error when the account has another address by now, which would count as verified.
   */
  async link(
    userId: string,
    { subject, email }: Identity,
    isConfirmed: boolean,
  ): Promise<'linked' | 'second_factor' | 'other_identity'> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      await lockPeople(transaction, [userId]);
      if (!(await transaction.existsBy(UserEntity, { id: userId, email: email.toLowerCase() }))) {
        throw new Error('the e-mail address of an account changed during a sign-in to it');
      }
      if (!isConfirmed && (await isGuarded(transaction, userId))) return 'second_factor';
      if (await hasOtherIdentity(transaction, userId, subject)) return 'other_identity';
      await removeUnverified(transaction, userId);
      await insertLogin(transaction, userId, subject);
      await transaction.query(
        `UPDATE users SET email_verified = true, updated_at = now() WHERE id = $1 AND NOT email_verified`,
        [userId],
      );
      return 'linked';
    });
  }

  /** Makes a user an administrator if their address is verified and one of these. */
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

/** A second factor of an unverified account may belong to somebody who took the address before its owner. */
async function isGuarded(transaction: EntityManager, userId: string): Promise<boolean> {
  const rows: unknown[] = await transaction.query(
    `SELECT FROM second_factors f JOIN users u ON u.id = f.user_id
     WHERE u.id = $1 AND u.email_verified AND f.active_since IS NOT NULL`,
    [userId],
  );
  return rows.length > 0;
}

/** The address may belong to somebody else at the provider by now. */
async function hasOtherIdentity(transaction: EntityManager, userId: string, subject: string): Promise<boolean> {
  const rows: unknown[] = await transaction.query(
    `SELECT FROM user_logins WHERE user_id = $1 AND provider = $2 AND subject <> $3`,
    [userId, PROVIDER, subject],
  );
  return rows.length > 0;
}

async function removeUnverified(transaction: EntityManager, userId: string): Promise<void> {
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

/** @throws Error when the identity opens another account by now. */
async function insertLogin(transaction: EntityManager, userId: string, subject: string): Promise<void> {
  const rows: unknown[] = await transaction.query(
    `INSERT INTO user_logins AS l (id, user_id, provider, subject) VALUES ($1, $2, $3, $4)
     ON CONFLICT (provider, subject) DO UPDATE SET updated_at = now() WHERE l.user_id = excluded.user_id RETURNING id`,
    [v7(), userId, PROVIDER, subject],
  );
  if (rows.length === 0) throw new Error('the identity was connected with another account at the same time');
}
