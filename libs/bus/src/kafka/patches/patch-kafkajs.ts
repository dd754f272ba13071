import { createRequire } from 'node:module';
import { groupMessages } from './group-messages.js';
import { preventIdlePolling } from './idle-timer.js';
import { createRequest, decodeRecordBatch, produceRequest } from './record-batches.js';
import { fixHeartbeatsAfterClockChange } from './clock-changes.js';

/** Faster replacements for kafkajs modules that export a single function, by module name. */
export const REPLACEMENTS: Readonly<Record<string, (...args: never[]) => unknown>> = {
  'kafkajs/src/producer/groupMessagesPerPartition': groupMessages,
  'kafkajs/src/protocol/request': createRequest,
  'kafkajs/src/protocol/requests/produce/v3/request': produceRequest,
  'kafkajs/src/protocol/recordBatch/v0/decoder': decodeRecordBatch,
};

/**
 * Fixes two bugs in kafkajs 2.2.4 and replaces four of its functions. `package.json` pins the version.
 *
 * Must be called before kafkajs is loaded because its modules reference each other.
 *
 * @throws {Error} if a patched module has changed.
 */
export function patchKafkajs(): void {
  const require = createRequire(import.meta.url);
  for (const [name, replacement] of Object.entries(REPLACEMENTS)) {
    const path = require.resolve(name);
    if (typeof require(path) !== 'function') throw new Error(`the module ${name} has changed; update its replacement`);
    require.cache[path]!.exports = replacement;
  }
  preventIdlePolling();
  fixHeartbeatsAfterClockChange();
}
