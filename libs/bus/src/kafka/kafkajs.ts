import { createRequire } from 'node:module';

type Kafkajs = typeof import('kafkajs');

/** Returns kafkajs, loaded with the first call: a process without Kafka has neither its 140 files nor the time they take. */
export const loadKafkajs = (): Kafkajs => createRequire(import.meta.url)('kafkajs') as Kafkajs;
