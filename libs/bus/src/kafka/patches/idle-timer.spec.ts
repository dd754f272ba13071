import { jest } from '@jest/globals';
import { createRequire } from 'node:module';
import { guardIdleTimer, REQUEST_QUEUE } from './idle-timer.js';

const require = createRequire(import.meta.url);
// Reloads the module, because another test in this process may have patched it.
delete require.cache[require.resolve(REQUEST_QUEUE)];
const RequestQueue = require(REQUEST_QUEUE) as new (options: object) => {
  pending: object[];
  throttledUntil: number;
  scheduleCheckPendingRequests(): void;
};

/** Counts the timers that a queue sets to check for pending requests. */
function timersOf(change: Partial<InstanceType<typeof RequestQueue>>): number {
  jest.useFakeTimers({ now: 1_000_000 });
  Object.assign(new RequestQueue({}), change).scheduleCheckPendingRequests();
  const timers = jest.getTimerCount();
  jest.useRealTimers();
  return timers;
}

it('sets a timer only if requests are pending or throttled', () => {
  // Reproduces the bug in kafkajs. If this fails, the patch is obsolete.
  expect(timersOf({})).toBe(1);
  guardIdleTimer();
  guardIdleTimer();
  expect(timersOf({})).toBe(0);
  expect(timersOf({ pending: [{}] })).toBe(1);
  expect(timersOf({ throttledUntil: 1_000_500 })).toBe(1);
});
