import { createRequire } from 'node:module';
import { createRequest } from './create-request.js';
import { decodeMessages } from './decode-messages.js';
import { groupMessages } from './group-messages.js';
import { guardIdleTimer } from './idle-timer.js';
import { produceRequest } from './produce-request.js';
import { guardHeartbeats } from './set-back-clock.js';

/** Modules of kafkajs that are a function, and what does the same faster. */
export const REPLACEMENTS: Readonly<Record<string, (...values: never[]) => unknown>> = {
  'kafkajs/src/producer/groupMessagesPerPartition': groupMessages,
  'kafkajs/src/protocol/request': createRequest,
  'kafkajs/src/protocol/requests/produce/v3/request': produceRequest,
  'kafkajs/src/protocol/requests/fetch/v4/decodeMessages': decodeMessages,
};

/**
 * Mends and replaces internals of kafkajs 2.2.4, which `package.json` pins. To be called before kafkajs is loaded, whose
 * modules keep what they find then.
 *
 * @throws when kafkajs is no longer built that way.
 */
export function patchKafkajs(): void {
  const require = createRequire(import.meta.url);
  for (const [name, replacement] of Object.entries(REPLACEMENTS)) {
    const path = require.resolve(name);
    if (typeof require(path) !== 'function') throw new Error(`kafkajs has another ${name}`);
    require.cache[path]!.exports = replacement;
  }
  guardIdleTimer();
  guardHeartbeats();
}
