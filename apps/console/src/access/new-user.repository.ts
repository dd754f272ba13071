import type { User } from '#libs/contracts';
import type { EntityManager } from 'typeorm';
import { v7 } from 'uuid';

export interface NewUser {
  email: string;
  name: string;
  /** Hash created by `PasswordHasher`. Null for an account without a password. */
  passwordHash: string | null;
  isAdmin: boolean;
  isVerified: boolean;
}

/** Creates an account. Returns null if the email address already has an account. */
export async function addUser(transaction: EntityManager, user: NewUser): Promise<User | null> {
  const [added]: User[] = await transaction.query(
    `INSERT INTO users (id, email, name, is_admin, email_verified) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (email) DO NOTHING RETURNING id, email, name, is_admin`,
    [v7(), user.email.toLowerCase(), user.name.trim(), user.isAdmin, user.isVerified],
  );
  if (added === undefined) return null;
  if (user.passwordHash === null) return added;
  await transaction.query(
    `INSERT INTO user_logins (id, user_id, provider, subject, password) VALUES ($1, $2, 'credential', $3, $4)`,
    [v7(), added.id, added.id, user.passwordHash],
  );
  return added;
}
