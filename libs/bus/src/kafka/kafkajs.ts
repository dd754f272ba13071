import { createRequire } from 'node:module';
import { patchKafkajs } from './patches/patch-kafkajs.js';

type Kafkajs = typeof import('kafkajs');

let loaded: Kafkajs | null = null;

/**
 * Returns kafkajs, patched and loaded with the first call: a process without Kafka has neither its 140 files nor the time
 * they take.
 */
export function loadKafkajs(): Kafkajs {
  if (loaded === null) {
    patchKafkajs();
    loaded = createRequire(import.meta.url)('kafkajs') as Kafkajs;
  }
  return loaded;
}
