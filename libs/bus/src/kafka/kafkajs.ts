import { createRequire } from 'node:module';
import { patchKafkajs } from './patches/patch-kafkajs.js';

type Kafkajs = typeof import('kafkajs');

let loaded: Kafkajs | null = null;

/** Returns kafkajs. The first call loads and patches it, so processes without Kafka don't load its files. */
export function loadKafkajs(): Kafkajs {
  if (loaded === null) {
    patchKafkajs();
    loaded = createRequire(import.meta.url)('kafkajs') as Kafkajs;
  }
  return loaded;
}
