import { loadCommonPasswords, findPasswordFault, type PasswordContext } from '#libs/passwords';
import { ProblemError } from '#libs/platform';

/**
 * Returns the reason a password is rejected, or null if it is accepted. The list of common passwords is loaded on the
 * first call and then cached.
 */
export async function getPasswordFault(password: string, context: PasswordContext): Promise<string | null> {
  return findPasswordFault(password, await loadCommonPasswords(), context);
}

/** @throws {ProblemError} 422 if the password is easy to guess. */
export async function requireStrongPassword(
  password: string,
  context: PasswordContext,
  pointer: string,
): Promise<void> {
  const detail = await getPasswordFault(password, context);
  if (detail === null) return;
  throw new ProblemError('invalid-body', `The password ${detail}`, { errors: [{ pointer, detail }] });
}
