import { commonPasswords, passwordFault, type PasswordContext } from '#libs/passwords';
import { ProblemError } from '#libs/platform';

/**
 * Returns why a password is rejected, or null if it can be used. Loads the list of common passwords, which then stays
 * in memory.
 */
export async function newPasswordFault(password: string, context: PasswordContext): Promise<string | null> {
  return passwordFault(password, await commonPasswords(), context);
}

/** @throws {ProblemError} 422 if the password is easy to guess. */
export async function checkNewPassword(password: string, context: PasswordContext, pointer: string): Promise<void> {
  const detail = await newPasswordFault(password, context);
  if (detail === null) return;
  throw new ProblemError('invalid-body', `The password ${detail}`, { errors: [{ pointer, detail }] });
}
