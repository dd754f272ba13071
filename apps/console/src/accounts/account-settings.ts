import { EMAIL_PATTERN, PASSWORD_LENGTH } from '#libs/contracts';
import { ConfigurationError, emailAddress, password } from '#libs/platform';
import type { Administrator } from '../bootstrap.repository.js';

/** Settings that create an administrator. Spread them into a specification for `readEnvironment`. */
export const administratorSettings = {
  ADMIN_EMAIL: emailAddress(EMAIL_PATTERN)({
    default: undefined,
    desc: 'Email address of the administrator to create on the first start',
  }),
  ADMIN_PASSWORD: password(PASSWORD_LENGTH)({
    default: undefined,
    desc: 'Initial password of that administrator',
  }),
};

/**
 * Returns the administrator to create, or null if neither setting is set.
 *
 * @throws {ConfigurationError} if only one of them is set.
 */
export function toAdministrator(settings: {
  ADMIN_EMAIL: string | undefined;
  ADMIN_PASSWORD: string | undefined;
}): Administrator | null {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = settings;
  if (email === undefined && password === undefined) return null;
  if (email === undefined || password === undefined) {
    throw new ConfigurationError('ADMIN_EMAIL and ADMIN_PASSWORD must be set together. Set both or neither.');
  }
  return { email, password };
}
