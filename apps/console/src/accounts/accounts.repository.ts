import { Inject, Injectable } from '@nestjs/common';
import type { SetupCode, User } from '#libs/contracts';
import { connectionPool } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 } from 'uuid';
import { hashSetupCode, newSetupCode, SETUP_CODE_HOURS } from './setup-code.js';

/** Key of the advisory lock under which the first account is made, once. */
const SETUP_LOCK = 4_116_820_614;

export interface NewUser {
  email: string;
  name: string;
  /** Hash of the password, as better-auth has it. */
  passwordHash: string;
  isAdmin: boolean;
  /** Whether somebody vouches for the address. */
  isVerified: boolean;
}

/** People, and the code that makes the first of them. */
@Injectable()
export class AccountsRepository {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  get pool() {
    return connectionPool(this.dataSource);
  }

  async isEmpty(): Promise<boolean> {
    return isWithoutAccounts(this.dataSource.manager);
  }

  async find(email: string): Promise<User | null> {
    const [user]: User[] = await this.dataSource.query(`SELECT id, email, name, is_admin FROM users WHERE email = $1`, [
      email.toLowerCase(),
    ]);
    return user ?? null;
  }

  /** Makes the first account, an administrator's; of several at once it is one. */
  async setUp(code: string, user: NewUser): Promise<User | 'wrong-code' | 'done-before'> {
    return this.dataSource.transaction(async (transaction) => {
      await transaction.query('SELECT pg_advisory_xact_lock($1)', [SETUP_LOCK]);
      if (!(await isWithoutAccounts(transaction))) return 'done-before';
      const [used]: [unknown[], number] = await transaction.query(
        `DELETE FROM setup_code WHERE hash = $1 AND expires_at > now() RETURNING is_only`,
        [hashSetupCode(code)],
      );
      return used.length === 0 ? 'wrong-code' : (await addUser(transaction, user))!;
    });
  }

  /** In place of an earlier one. @returns null when there is an account already. */
  async newSetupCode(): Promise<SetupCode | null> {
    return this.dataSource.transaction((transaction) => renewSetupCode(transaction));
  }

  /** Makes an administrator of those for whom the environment says so. */
  async makeAdmin(userId: string): Promise<void> {
    await this.dataSource.query(`UPDATE users SET is_admin = true, updated_at = now() WHERE id = $1`, [userId]);
  }
}

/** @returns null when there is an account with the address. */
export async function addUser(transaction: EntityManager, user: NewUser): Promise<User | null> {
  const [added]: User[] = await transaction.query(
    `INSERT INTO users (id, email, name, is_admin, email_verified) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (email) DO NOTHING RETURNING id, email, name, is_admin`,
    [v7(), user.email.toLowerCase(), user.name.trim(), user.isAdmin, user.isVerified],
  );
  if (added === undefined) return null;
  await transaction.query(
    `INSERT INTO user_logins (id, user_id, provider, subject, password) VALUES ($1, $2, 'credential', $3, $4)`,
    [v7(), added.id, added.id, user.passwordHash],
  );
  return added;
}

/** @returns null when there is an account already. */
export async function renewSetupCode(transaction: EntityManager): Promise<SetupCode | null> {
  await transaction.query('SELECT pg_advisory_xact_lock($1)', [SETUP_LOCK]);
  if (!(await isWithoutAccounts(transaction))) return null;
  const code = newSetupCode();
  const [{ expires_at: expiresAt }]: [{ expires_at: Date }] = await transaction.query(
    `INSERT INTO setup_code (hash, expires_at) VALUES ($1, now() + make_interval(hours => $2))
     ON CONFLICT (is_only) DO UPDATE SET hash = excluded.hash, expires_at = excluded.expires_at
     RETURNING expires_at`,
    [hashSetupCode(code), SETUP_CODE_HOURS],
  );
  return { code, expires_at: expiresAt.toISOString() };
}

async function isWithoutAccounts(manager: EntityManager): Promise<boolean> {
  const rows: unknown[] = await manager.query(`SELECT FROM users LIMIT 1`);
  return rows.length === 0;
}
