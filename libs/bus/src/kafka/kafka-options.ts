import { bool, ConfigurationError, integer, secret, str, url, words } from '#libs/platform';

export interface KafkaOptions {
  /** Bootstrap brokers as host:port. */
  brokers: readonly string[];
  /** TLS with PEM certificates, or null for plain text. Without `ca`, Node.js's default CAs apply. */
  tls: { ca: string | undefined; cert: string | undefined; key: string | undefined } | null;
  sasl: KafkaSasl | null;
  /** Compression of published messages. Consumers detect it. */
  compression: 'none' | 'gzip';
  topics: TopicOptions;
}

export type KafkaSasl =
  | { mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'; username: string; password: string }
  | { mechanism: 'oauthbearer'; tokenUrl: string; clientId: string; clientSecret: string; scope: string | undefined };

export interface TopicOptions {
  /** Whether to create missing topics. Otherwise they must exist. */
  create: boolean;
  /** Partitions of topics that are created. Limits how many consumers of a group can share the work. */
  partitions: number;
  replicationFactor: number;
  minInsyncReplicas: number;
}

const MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512', 'oauthbearer'] as const;
const optional = { default: undefined } as const;

/** Settings of every process that connects to Kafka. Spread them into a specification for `readEnvironment`. */
export const kafkaSettings = {
  KAFKA_BROKERS: words({ default: [], desc: 'Kafka brokers as host:port, separated by commas' }),
  KAFKA_TLS: bool({ default: false, desc: 'Speak TLS to Kafka' }),
  KAFKA_TLS_CA: str({ ...optional, desc: 'Authority of the brokers, PEM, where it is not a public one' }),
  KAFKA_TLS_CERT: str({ ...optional, desc: 'Our own certificate, PEM, where the brokers ask for it' }),
  KAFKA_TLS_KEY: str({ ...optional, desc: 'The key of our own certificate, PEM' }),
  KAFKA_SASL_MECHANISM: str({ ...optional, choices: MECHANISMS, desc: 'How to log in to Kafka' }),
  KAFKA_SASL_USERNAME: str({ ...optional, desc: 'User of plain and scram' }),
  KAFKA_SASL_PASSWORD: secret(1)({ ...optional, desc: 'Password of plain and scram' }),
  KAFKA_OAUTH_TOKEN_URL: url({ ...optional, desc: 'Where oauthbearer gets its tokens (client credentials)' }),
  KAFKA_OAUTH_CLIENT_ID: str({ ...optional, desc: 'Client id of oauthbearer' }),
  KAFKA_OAUTH_CLIENT_SECRET: secret(1)({ ...optional, desc: 'Client secret of oauthbearer' }),
  KAFKA_OAUTH_SCOPE: str({ ...optional, desc: 'Scope of oauthbearer, where the provider wants one' }),
  KAFKA_COMPRESSION: str({ choices: ['none', 'gzip'], default: 'none', desc: 'Compression of what is published' }),
  KAFKA_TOPICS: str({
    choices: ['create', 'check'],
    default: 'create',
    desc: 'Make missing topics, or refuse to start',
  }),
  KAFKA_TOPIC_PARTITIONS: integer({ min: 1, max: 1_000 })({ default: 12, desc: 'Partitions of a topic that is made' }),
  KAFKA_REPLICATION_FACTOR: integer({ min: 1, max: 32 })({ default: 3, desc: 'Copies that topics shall have' }),
  KAFKA_MIN_INSYNC_REPLICAS: integer({ min: 1, max: 32 })({
    default: 2,
    desc: 'Copies that have to be written before a visit counts as safe',
  }),
};

/** {@link kafkaSettings} of services that require Kafka. */
export const requiredKafkaSettings = {
  ...kafkaSettings,
  KAFKA_BROKERS: words({ desc: 'Kafka brokers as host:port, separated by commas' }),
};

type Settings = {
  [Name in keyof typeof kafkaSettings]: ReturnType<(typeof kafkaSettings)[Name]['_parse']>;
};

/**
 * Returns the options from settings that were read with {@link kafkaSettings}, or null if there are no brokers.
 *
 * @throws ConfigurationError listing invalid brokers and combinations of settings.
 */
export function kafkaOptions(settings: Partial<Settings> & Pick<Settings, 'KAFKA_BROKERS'>): KafkaOptions | null {
  if (settings.KAFKA_BROKERS.length === 0) return null;
  const faults: string[] = [];
  for (const broker of settings.KAFKA_BROKERS) {
    if (!/^(?:[^\s:/]+|\[[0-9a-f:.]+\]):\d{1,5}$/i.test(broker))
      faults.push(`KAFKA_BROKERS: ${broker} is not host:port`);
  }
  if ((settings.KAFKA_TLS_CERT === undefined) !== (settings.KAFKA_TLS_KEY === undefined)) {
    faults.push('KAFKA_TLS_CERT and KAFKA_TLS_KEY go together');
  }
  const topics: TopicOptions = {
    create: settings.KAFKA_TOPICS !== 'check',
    partitions: settings.KAFKA_TOPIC_PARTITIONS ?? 12,
    replicationFactor: settings.KAFKA_REPLICATION_FACTOR ?? 3,
    minInsyncReplicas: settings.KAFKA_MIN_INSYNC_REPLICAS ?? 2,
  };
  if (topics.minInsyncReplicas > topics.replicationFactor) {
    faults.push('KAFKA_MIN_INSYNC_REPLICAS must not exceed KAFKA_REPLICATION_FACTOR');
  }
  const sasl = saslOf(settings, faults);
  if (faults.length > 0) throw new ConfigurationError(`The configuration has faults:\n  ${faults.join('\n  ')}`);
  const { KAFKA_TLS: isEncrypted, KAFKA_TLS_CA: ca, KAFKA_TLS_CERT: cert, KAFKA_TLS_KEY: key } = settings;
  return {
    brokers: settings.KAFKA_BROKERS,
    tls: isEncrypted ? { ca, cert, key } : null,
    sasl,
    compression: settings.KAFKA_COMPRESSION === 'gzip' ? 'gzip' : 'none',
    topics,
  };
}

function saslOf(settings: Partial<Settings>, faults: string[]): KafkaSasl | null {
  const mechanism = settings.KAFKA_SASL_MECHANISM as KafkaSasl['mechanism'] | undefined;
  if (mechanism === undefined) return null;
  const required = (name: keyof Settings): string => {
    const value = settings[name];
    if (value === undefined) faults.push(`${name}: is required for ${mechanism}`);
    return String(value ?? '');
  };
  if (mechanism !== 'oauthbearer') {
    return { mechanism, username: required('KAFKA_SASL_USERNAME'), password: required('KAFKA_SASL_PASSWORD') };
  }
  return {
    mechanism,
    tokenUrl: required('KAFKA_OAUTH_TOKEN_URL'),
    clientId: required('KAFKA_OAUTH_CLIENT_ID'),
    clientSecret: required('KAFKA_OAUTH_CLIENT_SECRET'),
    scope: settings.KAFKA_OAUTH_SCOPE,
  };
}
