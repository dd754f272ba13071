import { EMAIL_PATTERN, PASSWORD_LENGTH } from '#libs/contracts';
import { ConfigurationError, emailAddress, password } from '#libs/platform';
import type { Administrator } from '../bootstrap.repository.js';

/** Settings for creating an administrator. Spread them into a specification for `readEnvironment`. */
export const administratorSettings = {
  ADMIN_EMAIL: emailAddress(EMAIL_PATTERN)({
    default: undefined,
    desc: "An administrator's address, for automatic set-ups",
  }),
  ADMIN_PASSWORD: password(PASSWORD_LENGTH)({
    default: undefined,
    desc: 'The password that the account starts with',
  }),
};

/** Returns null if neither setting is set. @throws ConfigurationError if only one is. */
export function administratorOf(settings: {
  ADMIN_EMAIL: string | undefined;
  ADMIN_PASSWORD: string | undefined;
}): Administrator | null {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = settings;
  if (email === undefined && password === undefined) return null;
  if (email === undefined || password === undefined) {
    throw new ConfigurationError('ADMIN_EMAIL and ADMIN_PASSWORD go together: set both, or neither.');
  }
  return { email, password };
}
