import { ConfigurationError, secret, serverUrl, str } from '#libs/platform';

/** Settings of the processes that store or read visits, to spread into a `readEnvironment` specification. */
export const visitStoreSettings = {
  CLICKHOUSE_URL: serverUrl(
    'https',
    'http',
  )({
    default: undefined,
    desc: 'URL of a ClickHouse server that stores the visits. Default: PostgreSQL stores them',
  }),
  CLICKHOUSE_USER: str({ default: 'default', desc: 'ClickHouse user' }),
  CLICKHOUSE_PASSWORD: secret(1)({ default: undefined, desc: 'Password of the ClickHouse user' }),
  CLICKHOUSE_DATABASE: str({ default: 'agent_traffic', desc: 'ClickHouse database for the visits' }),
  CLICKHOUSE_CLUSTER: str({
    default: undefined,
    desc: 'ClickHouse cluster whose shards and replicas store the visits. Default: a single server',
  }),
  CLICKHOUSE_CA: str({
    default: undefined,
    desc: 'CA certificate of the ClickHouse server (PEM), unless a public CA issued its certificate',
  }),
};

export interface VisitStoreOptions {
  url: string;
  user: string;
  password: string;
  database: string;
  /** Name of the cluster, or null for a single server. */
  cluster: string | null;
  /** PEM certificate of the server's certificate authority, or null for a public one. */
  ca: string | null;
}

type VisitStoreSettings = { [K in keyof typeof visitStoreSettings]?: string | undefined };

const IDENTIFIER = /^[a-z_]\w{0,62}$/i;

/**
 * Returns the options for ClickHouse, or null if PostgreSQL stores the visits.
 *
 * @throws {ConfigurationError} if the settings are invalid.
 */
export function toVisitStoreOptions(settings: VisitStoreSettings): VisitStoreOptions | null {
  const {
    CLICKHOUSE_URL: url,
    CLICKHOUSE_DATABASE: database = 'agent_traffic',
    CLICKHOUSE_CLUSTER: cluster,
  } = settings;
  if (url === undefined) return null;
  for (const [name, value] of Object.entries({ CLICKHOUSE_DATABASE: database, CLICKHOUSE_CLUSTER: cluster })) {
    if (value !== undefined && !IDENTIFIER.test(value)) {
      throw new ConfigurationError(`${name} must consist of letters, digits and underscores, such as agent_traffic`);
    }
  }
  return {
    url,
    user: settings.CLICKHOUSE_USER ?? 'default',
    password: settings.CLICKHOUSE_PASSWORD ?? '',
    database,
    cluster: cluster ?? null,
    ca: settings.CLICKHOUSE_CA ?? null,
  };
}
