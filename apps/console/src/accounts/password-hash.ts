import { commonPasswords, passwordFault, type PasswordContext } from '#libs/passwords';
import { ProblemError } from '#libs/platform';

/** As `passwordFault`, with the list of common passwords, which then stays in memory. */
export async function newPasswordFault(password: string, context: PasswordContext): Promise<string | null> {
  return passwordFault(password, await commonPasswords(), context);
}

/** @throws ProblemError 422 for a password that is easy to guess. */
export async function checkNewPassword(password: string, context: PasswordContext, pointer: string): Promise<void> {
  const detail = await newPasswordFault(password, context);
  if (detail === null) return;
  throw new ProblemError('invalid-body', `The password ${detail}`, { errors: [{ pointer, detail }] });
}

/** Returns scrypt with a random salt, in the form that sign-ins check. */
export async function hashPassword(password: string): Promise<string> {
  // Imported here, as it takes long to load.
  const { hashPassword: hash } = await import('better-auth/crypto');
  return hash(password);
}

/** Whether a password is the one of a hash by {@link hashPassword}. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const { verifyPassword } = await import('better-auth/crypto');
  return verifyPassword({ password, hash });
}
