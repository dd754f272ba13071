import { createRequire } from 'node:module';
import { patchKafkajs } from './patches/patch-kafkajs.js';

type Kafkajs = typeof import('kafkajs');

let kafkajs: Kafkajs | null = null;

/** Returns kafkajs. It is loaded and patched on the first call, so processes without Kafka never load it. */
export function loadKafkajs(): Kafkajs {
  if (kafkajs === null) {
    patchKafkajs();
    kafkajs = createRequire(import.meta.url)('kafkajs') as Kafkajs;
  }
  return kafkajs;
}
