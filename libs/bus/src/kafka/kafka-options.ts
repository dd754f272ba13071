import { bool, ConfigurationError, integer, secret, str, url, words } from '#libs/platform';

export interface KafkaOptions {
  /** Addresses of bootstrap brokers as host:port. */
  brokers: readonly string[];
  /** TLS options with PEM certificates, or null for plaintext. Without `ca`, Node.js's default CAs are used. */
  tls: { ca: string | undefined; cert: string | undefined; key: string | undefined } | null;
  sasl: KafkaSasl | null;
  /** Compression of published messages. Consumers detect it automatically. */
  compression: 'none' | 'gzip';
  topics: TopicOptions;
}

export type KafkaSasl =
  | { mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'; username: string; password: string }
  | { mechanism: 'oauthbearer'; tokenUrl: string; clientId: string; clientSecret: string; scope: string | undefined };

export interface TopicOptions {
  /** Whether to create missing topics. If false, they must exist. */
  create: boolean;
  /** Number of partitions in created topics. It limits how many consumers in a group can share the work. */
  partitions: number;
  replicationFactor: number;
  minInsyncReplicas: number;
}

const SASL_MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512', 'oauthbearer'] as const;
const optional = { default: undefined } as const;

/** Settings for all processes that connect to Kafka. Spread them into a specification for `readEnvironment`. */
export const kafkaSettings = {
  KAFKA_BROKERS: words({ default: [], desc: 'Comma-separated Kafka brokers as host:port' }),
  KAFKA_TLS: bool({ default: false, desc: 'Connect to Kafka with TLS' }),
  KAFKA_TLS_CA: str({ ...optional, desc: 'CA certificate of the brokers (PEM), unless a public CA issued theirs' }),
  KAFKA_TLS_CERT: str({ ...optional, desc: 'Client certificate (PEM), if the brokers require one' }),
  KAFKA_TLS_KEY: str({ ...optional, desc: 'Private key of the client certificate (PEM)' }),
  KAFKA_SASL_MECHANISM: str({ ...optional, choices: SASL_MECHANISMS, desc: 'SASL mechanism for signing in to Kafka' }),
  KAFKA_SASL_USERNAME: str({ ...optional, desc: 'User name for plain and scram' }),
  KAFKA_SASL_PASSWORD: secret(1)({ ...optional, desc: 'Password for plain and scram' }),
  KAFKA_OAUTH_TOKEN_URL: url({ ...optional, desc: 'Token URL for oauthbearer (client credentials grant)' }),
  KAFKA_OAUTH_CLIENT_ID: str({ ...optional, desc: 'Client ID for oauthbearer' }),
  KAFKA_OAUTH_CLIENT_SECRET: secret(1)({ ...optional, desc: 'Client secret for oauthbearer' }),
  KAFKA_OAUTH_SCOPE: str({ ...optional, desc: 'Scope for oauthbearer, if the provider requires one' }),
  KAFKA_COMPRESSION: str({ choices: ['none', 'gzip'], default: 'none', desc: 'Compression of published messages' }),
  KAFKA_TOPICS: str({
    choices: ['create', 'check'],
    default: 'create',
    desc: 'Whether to create missing topics at startup or only check them',
  }),
  KAFKA_TOPIC_PARTITIONS: integer({ min: 1, max: 1_000 })({
    default: 12,
    desc: 'Number of partitions in created topics',
  }),
  KAFKA_REPLICATION_FACTOR: integer({ min: 1, max: 32 })({ default: 3, desc: 'Number of replicas per topic' }),
  KAFKA_MIN_INSYNC_REPLICAS: integer({ min: 1, max: 32 })({
    default: 2,
    desc: 'Number of replicas that must be written before a visit counts as stored',
  }),
};

/** Like {@link kafkaSettings}, but for services that require Kafka. */
export const requiredKafkaSettings = {
  ...kafkaSettings,
  KAFKA_BROKERS: words({ desc: 'Comma-separated Kafka brokers as host:port' }),
};

type Settings = {
  [Name in keyof typeof kafkaSettings]: ReturnType<(typeof kafkaSettings)[Name]['_parse']>;
};

/**
 * Returns the options from settings that were read with {@link kafkaSettings}, or null if no brokers are set.
 *
 * @throws {ConfigurationError} listing all invalid brokers and combinations of settings.
 */
export function toKafkaOptions(settings: Partial<Settings> & Pick<Settings, 'KAFKA_BROKERS'>): KafkaOptions | null {
  if (settings.KAFKA_BROKERS.length === 0) return null;
  const problems: string[] = [];
  for (const broker of settings.KAFKA_BROKERS) {
    if (!/^(?:[^\s:/]+|\[[0-9a-f:.]+\]):\d{1,5}$/i.test(broker))
      problems.push(`KAFKA_BROKERS must be a list of host:port addresses (got "${broker}")`);
  }
  if ((settings.KAFKA_TLS_CERT === undefined) !== (settings.KAFKA_TLS_KEY === undefined)) {
    problems.push('KAFKA_TLS_CERT and KAFKA_TLS_KEY must be set together');
  }
  const topics: TopicOptions = {
    create: settings.KAFKA_TOPICS !== 'check',
    partitions: settings.KAFKA_TOPIC_PARTITIONS ?? 12,
    replicationFactor: settings.KAFKA_REPLICATION_FACTOR ?? 3,
    minInsyncReplicas: settings.KAFKA_MIN_INSYNC_REPLICAS ?? 2,
  };
  if (topics.minInsyncReplicas > topics.replicationFactor) {
    problems.push('KAFKA_MIN_INSYNC_REPLICAS must not exceed KAFKA_REPLICATION_FACTOR');
  }
  const sasl = readSaslOptions(settings, problems);
  if (problems.length > 0) throw new ConfigurationError(`The configuration is invalid:\n  ${problems.join('\n  ')}`);
  const { KAFKA_TLS: isEncrypted, KAFKA_TLS_CA: ca, KAFKA_TLS_CERT: cert, KAFKA_TLS_KEY: key } = settings;
  return {
    brokers: settings.KAFKA_BROKERS,
    tls: isEncrypted ? { ca, cert, key } : null,
    sasl,
    compression: settings.KAFKA_COMPRESSION === 'gzip' ? 'gzip' : 'none',
    topics,
  };
}

function readSaslOptions(settings: Partial<Settings>, problems: string[]): KafkaSasl | null {
  const mechanism = settings.KAFKA_SASL_MECHANISM as KafkaSasl['mechanism'] | undefined;
  if (mechanism === undefined) return null;
  const requireSetting = (name: keyof Settings): string => {
    const value = settings[name];
    if (value === undefined) problems.push(`${name}: is required for ${mechanism}`);
    return String(value ?? '');
  };
  if (mechanism !== 'oauthbearer') {
    return {
      mechanism,
      username: requireSetting('KAFKA_SASL_USERNAME'),
      password: requireSetting('KAFKA_SASL_PASSWORD'),
    };
  }
  return {
    mechanism,
    tokenUrl: requireSetting('KAFKA_OAUTH_TOKEN_URL'),
    clientId: requireSetting('KAFKA_OAUTH_CLIENT_ID'),
    clientSecret: requireSetting('KAFKA_OAUTH_CLIENT_SECRET'),
    scope: settings.KAFKA_OAUTH_SCOPE,
  };
}
