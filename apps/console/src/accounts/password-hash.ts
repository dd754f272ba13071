import { commonPasswords, passwordFault, type PasswordContext } from '#libs/passwords';
import { ProblemError } from '#libs/platform';

/** As `passwordFault`, with the list of common passwords, which stays in memory from then on. */
export async function newPasswordFault(password: string, context: PasswordContext): Promise<string | null> {
  return passwordFault(password, await commonPasswords(), context);
}

/** @throws ProblemError 422 for one that is easy to guess. */
export async function checkNewPassword(password: string, context: PasswordContext, pointer: string): Promise<void> {
  const detail = await newPasswordFault(password, context);
  if (detail === null) return;
  throw new ProblemError('invalid-body', `The password ${detail}`, { errors: [{ pointer, detail }] });
}

/** scrypt with a salt of its own, in the form in which sign-ins check it. */
export async function hashPassword(password: string): Promise<string> {
  // Only here: what it comes with takes long to load.
  const { hashPassword: hash } = await import('better-auth/crypto');
  return hash(password);
}
