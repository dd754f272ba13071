import { jest } from '@jest/globals';
import { createRequire } from 'node:module';
import { preventIdlePolling, REQUEST_QUEUE_MODULE } from './idle-timer.js';

const require = createRequire(import.meta.url);
// Reloads the module because another test in this process may have patched it.
delete require.cache[require.resolve(REQUEST_QUEUE_MODULE)];
const RequestQueue = require(REQUEST_QUEUE_MODULE) as new (options: object) => {
  pending: object[];
  throttledUntil: number;
  scheduleCheckPendingRequests(): void;
};

/** Counts the timers that a queue sets to check for pending requests. */
function countTimers(overrides: Partial<InstanceType<typeof RequestQueue>>): number {
  jest.useFakeTimers({ now: 1_000_000 });
  Object.assign(new RequestQueue({}), overrides).scheduleCheckPendingRequests();
  const timers = jest.getTimerCount();
  jest.useRealTimers();
  return timers;
}

it('preventIdlePolling allows timers only while requests are pending or throttled', () => {
  // Reproduces the kafkajs bug. If this fails, the patch is obsolete.
  expect(countTimers({})).toBe(1);
  preventIdlePolling();
  preventIdlePolling();
  expect(countTimers({})).toBe(0);
  expect(countTimers({ pending: [{}] })).toBe(1);
  expect(countTimers({ throttledUntil: 1_000_500 })).toBe(1);
});
