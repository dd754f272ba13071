import type { Kafka as KafkaClient, KafkaConfig, LogEntry, RetryOptions, SASLOptions } from 'kafkajs';
import type { Logger } from '#libs/platform';
import type { KafkaOptions, KafkaSasl } from './kafka-options.js';
import { loadKafkajs } from './kafkajs.js';
import { oauthToken } from './oauth-token.js';

interface ClientOptions {
  clientId: string;
  requestTimeoutMs: number;
  retry: RetryOptions;
}

const CONNECTION_TIMEOUT_MS = 2_000;

/** Creates a kafkajs client. Producers and consumers need separate ones, because their timeouts differ. */
export function kafkaClient(
  { brokers, tls, sasl }: KafkaOptions,
  { clientId, requestTimeoutMs, retry }: ClientOptions,
  logger: Logger,
): KafkaClient {
  const { Kafka, logLevel } = loadKafkajs();
  const config: KafkaConfig = {
    clientId,
    brokers: [...brokers],
    ssl: tls === null ? false : tlsOptions(tls),
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    authenticationTimeout: 5_000,
    requestTimeout: requestTimeoutMs,
    retry,
    logLevel: logLevel.WARN,
    logCreator: () => (entry) => log(entry, logger),
  };
  if (sasl !== null) config.sasl = saslOptions(sasl);
  return new Kafka(config);
}

// kafkajs expects `true` for TLS with default options.
const tlsOptions = ({ ca, cert, key }: NonNullable<KafkaOptions['tls']>): KafkaConfig['ssl'] =>
  ca === undefined && cert === undefined
    ? true
    : { ...(ca !== undefined && { ca: [ca] }), ...(cert !== undefined && { cert, key: key! }) };

function saslOptions(sasl: KafkaSasl): SASLOptions {
  if (sasl.mechanism === 'oauthbearer') {
    return { mechanism: 'oauthbearer', oauthBearerProvider: () => oauthToken(sasl) };
  }
  return sasl;
}

/** Logs kafkajs's messages as debug output. Callers log outages and recoveries once. */
function log({ namespace, log: { message, ...details } }: LogEntry, logger: Logger): void {
  logger.debug({ kafkajs: { namespace, ...details } }, message);
}
