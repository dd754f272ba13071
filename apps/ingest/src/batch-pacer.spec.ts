import { jest } from '@jest/globals';
import { BatchPacer } from './batch-pacer.js';

const INTERVAL_MS = 250;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('starts the first batch, and batches after a pause, immediately', () => {
  const pacer = new BatchPacer();
  expect(pacer.schedule(1, INTERVAL_MS)).toBe(0);
  jest.advanceTimersByTime(INTERVAL_MS);
  expect(pacer.schedule(1, INTERVAL_MS)).toBe(0);
});

it('starts small batches at intervals', () => {
  const pacer = new BatchPacer();
  pacer.schedule(1, INTERVAL_MS);
  jest.advanceTimersByTime(100);
  expect([pacer.schedule(10, INTERVAL_MS), pacer.schedule(499, INTERVAL_MS)]).toEqual([150, 400]);
});

it('starts large batches immediately', () => {
  const pacer = new BatchPacer();
  expect([pacer.schedule(1, INTERVAL_MS), pacer.schedule(500, INTERVAL_MS)]).toEqual([0, 0]);
});

it('starts all batches immediately if the interval is 0', () => {
  const pacer = new BatchPacer();
  expect([pacer.schedule(1, 0), pacer.schedule(1, 0)]).toEqual([0, 0]);
});
