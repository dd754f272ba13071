import { secret, str } from '#libs/platform';

/** Settings for connecting to PostgreSQL. Spread them into a specification for `readEnvironment`. */
export const databaseSettings = {
  DATABASE_URL: str({ desc: 'PostgreSQL, 15 or later' }),
  DATABASE_PASSWORD: secret(1)({ default: undefined, desc: 'Goes into DATABASE_URL' }),
};

/**
 * Adds a password from a separate setting to a database URL, replacing any password in it.
 *
 * @param url postgres://user@host:port/name
 * @param password plain, not percent-encoded. Undefined: the URL is returned unchanged.
 * @throws Error if the URL has no host or user.
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
