import { secret, str } from '#libs/platform';

/** Settings for connecting to PostgreSQL, to be spread into a specification for `readEnvironment`. */
export const databaseSettings = {
  DATABASE_URL: str({ desc: 'PostgreSQL, 15 or later' }),
  DATABASE_PASSWORD: secret(1)({ default: undefined, desc: 'Goes into DATABASE_URL' }),
};

/**
 * Returns the address of a database with a password that is given separately, for example in a file. It replaces a
 * password in the address.
 *
 * @param url postgres://user@host:port/name
 * @param password plain, not percent-encoded; without one the address stays as it is.
 * @throws Error when the address cannot hold a password.
 */
export function databaseUrl(url: string, password: string | undefined): string {
  if (password === undefined) return url;
  const whole = URL.canParse(url) ? new URL(url) : null;
  if (whole === null || whole.host === '' || whole.username === '') {
    throw new Error('DATABASE_PASSWORD needs a DATABASE_URL such as postgres://user@host:5432/name');
  }
  whole.password = encodeURIComponent(password);
  return whole.href;
}
