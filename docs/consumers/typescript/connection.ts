/** Reads brokers, TLS and SASL from the environment. All options: https://kafka.js.org/docs/configuration */
import { readFileSync } from 'node:fs';
import { Kafka, logLevel, type KafkaConfig, type SASLOptions } from 'kafkajs';

const MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;

/** Exits the process. For errors that a retry can't fix. */
export function fail(problem: string): never {
  console.error(problem);
  process.exit(1);
}

export const required = (name: string): string => process.env[name] || fail(`set ${name}`);

function tls(): KafkaConfig['ssl'] {
  const { KAFKA_TLS, KAFKA_TLS_CA_FILE: caFile } = process.env;
  return caFile ? { ca: readFileSync(caFile, 'utf8') } : KAFKA_TLS === 'true';
}

function sasl(): SASLOptions | undefined {
  const { KAFKA_SASL_USERNAME: username, KAFKA_SASL_MECHANISM, KAFKA_SASL_PASSWORD_FILE: file } = process.env;
  if (!username) return undefined;
  const mechanism = MECHANISMS.find((name) => name === (KAFKA_SASL_MECHANISM || 'plain'));
  if (!mechanism) fail(`KAFKA_SASL_MECHANISM must be ${MECHANISMS.join(', ')} (got "${KAFKA_SASL_MECHANISM}")`);
  const password = file ? readFileSync(file, 'utf8').replace(/[\r\n]+$/, '') : required('KAFKA_SASL_PASSWORD');
  return { mechanism, username, password } as SASLOptions;
}

export const connect = (clientId: string): Kafka =>
  new Kafka({
    clientId,
    brokers: required('KAFKA_BROKERS').split(','),
    ssl: tls(),
    sasl: sasl(),
    logLevel: logLevel.WARN,
  });

/** Fails if the brokers can't be reached or deny access, or if a topic doesn't exist. */
export async function checkTopics(kafka: Kafka, topics: string[]): Promise<void> {
  const admin = kafka.admin();
  try {
    await admin.connect();
    await admin.fetchTopicMetadata({ topics });
  } catch (error) {
    fail(`Can't read from Kafka: ${(error as Error).message}. Does it require KAFKA_TLS or KAFKA_SASL_USERNAME?`);
  }
  await admin.disconnect();
}
