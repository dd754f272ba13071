import { createRequire } from 'node:module';
import { guardIdleTimer } from './idle-timer.js';
import { produceRequest } from './produce-request.js';
import { guardHeartbeats } from './set-back-clock.js';

/** Modules of kafkajs that are a function, and what does the same faster. */
export const REPLACEMENTS: Readonly<Record<string, (...values: never[]) => unknown>> = {
  'kafkajs/src/protocol/requests/produce/v3/request': produceRequest,
};

/**
 * Mends and replaces internals of kafkajs 2.2.4, which `package.json` pins. To be called before anything is sent:
 * kafkajs loads the modules that use these with the first message.
 *
 * @throws when kafkajs is no longer built that way.
 */
export function patchKafkajs(): void {
  guardIdleTimer();
  guardHeartbeats();
  const require = createRequire(import.meta.url);
  for (const [name, replacement] of Object.entries(REPLACEMENTS)) {
    const path = require.resolve(name);
    if (typeof require(path) !== 'function') throw new Error(`kafkajs has another ${name}`);
    require.cache[path]!.exports = replacement;
  }
}
