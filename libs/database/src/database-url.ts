import { integer, secret, str } from '#libs/platform';

/** PostgreSQL connection settings, to spread into a `readEnvironment` specification. */
export const databaseSettings = {
  DATABASE_URL: str({ desc: 'PostgreSQL connection URL (PostgreSQL 15 or later)' }),
  DATABASE_PASSWORD: secret(1)({ default: undefined, desc: 'Password to use with DATABASE_URL' }),
};

/** Settings of the processes that read visits. */
export const readReplicaSettings = {
  DATABASE_READ_URL: str({
    default: undefined,
    desc: 'Connection URL of a streaming replica for charts, reports and exports; uses DATABASE_PASSWORD',
  }),
  DATABASE_READ_MAX_LAG_SECONDS: integer({ min: 2, max: 3_600 })({
    default: 10,
    desc: "Maximum age of the replica's data in seconds; while it's older, reads use DATABASE_URL",
  }),
};

export interface ReplicaOptions {
  /** Connection URL of a streaming replica. */
  url: string;
  /** Maximum age of the data that reads may return. */
  maxLagSeconds: number;
}

interface ReplicaSettings {
  DATABASE_READ_URL: string | undefined;
  DATABASE_READ_MAX_LAG_SECONDS: number;
  DATABASE_PASSWORD: string | undefined;
}

/** Returns the options for the read replica, or null if none is configured. */
export function toReplicaOptions(settings: ReplicaSettings): ReplicaOptions | null {
  const {
    DATABASE_READ_URL: url,
    DATABASE_READ_MAX_LAG_SECONDS: maxLagSeconds,
    DATABASE_PASSWORD: password,
  } = settings;
  return url === undefined ? null : { url: databaseUrl(url, password), maxLagSeconds };
}

/**
 * Adds a password to a database URL, replacing any existing one.
 *
 * @param url Database URL, such as `postgres://user@host:port/name`.
 * @param password Plain password, not percent-encoded. If undefined, the URL is returned unchanged.
 * @throws {Error} if a password is given but the URL has no host or no user.
 */
export function databaseUrl(url: string, password: string | undefined): string {
  if (password === undefined) return url;
  const parsedUrl = URL.canParse(url) ? new URL(url) : null;
  if (parsedUrl === null || parsedUrl.host === '' || parsedUrl.username === '') {
    throw new Error(
      'DATABASE_PASSWORD requires a DATABASE_URL with a user and a host, such as postgres://user@host:5432/name',
    );
  }
  parsedUrl.password = encodeURIComponent(password);
  return parsedUrl.href;
}
