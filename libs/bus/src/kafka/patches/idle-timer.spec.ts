import { jest } from '@jest/globals';
import { createRequire } from 'node:module';
import { guardIdleTimer, REQUEST_QUEUE } from './idle-timer.js';

const require = createRequire(import.meta.url);
// Loaded anew, because another test of this process may have mended it.
delete require.cache[require.resolve(REQUEST_QUEUE)];
const RequestQueue = require(REQUEST_QUEUE) as new (options: object) => {
  pending: object[];
  throttledUntil: number;
  scheduleCheckPendingRequests(): void;
};

/** Timers that a queue sets when it is to look for waiting requests. */
function timersOf(change: Partial<InstanceType<typeof RequestQueue>>): number {
  jest.useFakeTimers({ now: 1_000_000 });
  Object.assign(new RequestQueue({}), change).scheduleCheckPendingRequests();
  const timers = jest.getTimerCount();
  jest.useRealTimers();
  return timers;
}

it('sets a timer only where something waits', () => {
  // The fault that it mends: without it, the patch can go.
  expect(timersOf({})).toBe(1);
  guardIdleTimer();
  guardIdleTimer();
  expect(timersOf({})).toBe(0);
  expect(timersOf({ pending: [{}] })).toBe(1);
  expect(timersOf({ throttledUntil: 1_000_500 })).toBe(1);
});
