import type { Kafka as KafkaClient, KafkaConfig, LogEntry, RetryOptions, SASLOptions } from 'kafkajs';
import type { Logger } from '#libs/platform';
import type { KafkaOptions, KafkaSasl } from './kafka-options.js';
import { loadKafkajs } from './kafkajs.js';
import { fetchOauthToken } from './oauth-token.js';

interface ClientOptions {
  clientId: string;
  requestTimeoutMs: number;
  retry: RetryOptions;
}

const CONNECTION_TIMEOUT_MS = 2_000;

/** Creates a kafkajs client. Producers and consumers need separate clients because their timeouts differ. */
export function createKafkaClient(
  { brokers, tls, sasl }: KafkaOptions,
  { clientId, requestTimeoutMs, retry }: ClientOptions,
  logger: Logger,
): KafkaClient {
  const { Kafka, logLevel } = loadKafkajs();
  const config: KafkaConfig = {
    clientId,
    brokers: [...brokers],
    ssl: tls === null ? false : toTlsOptions(tls),
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    authenticationTimeout: 5_000,
    requestTimeout: requestTimeoutMs,
    retry,
    logLevel: logLevel.WARN,
    logCreator: () => (entry) => logKafkajsEntry(entry, logger),
  };
  if (sasl !== null) config.sasl = toSaslOptions(sasl);
  return new Kafka(config);
}

// kafkajs expects `true` for TLS with default options.
const toTlsOptions = ({ ca, cert, key }: NonNullable<KafkaOptions['tls']>): KafkaConfig['ssl'] =>
  ca === undefined && cert === undefined
    ? true
    : { ...(ca !== undefined && { ca: [ca] }), ...(cert !== undefined && { cert, key: key! }) };

function toSaslOptions(sasl: KafkaSasl): SASLOptions {
  if (sasl.mechanism === 'oauthbearer') {
    return { mechanism: 'oauthbearer', oauthBearerProvider: () => fetchOauthToken(sasl) };
  }
  return sasl;
}

/** Logs kafkajs messages at `debug`. Callers log each outage and recovery once. */
function logKafkajsEntry({ namespace, log: { message, ...details } }: LogEntry, logger: Logger): void {
  logger.debug({ kafkajs: { namespace, ...details } }, message);
}
