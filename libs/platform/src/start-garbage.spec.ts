import { jest } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { collectStartGarbage } from './start-garbage.js';

afterEach(() => jest.useRealTimers());

/** Resolves when nothing holds it any more: the target is held for the rest of the turn. */
async function newGarbage(): Promise<WeakRef<object>> {
  const garbage = new WeakRef({ of: 'a start' });
  await setImmediate();
  return garbage;
}

it('collects what nobody holds any more, and once more after some seconds', async () => {
  jest.useFakeTimers();
  const first = await newGarbage();
  collectStartGarbage();
  expect(first.deref()).toBeUndefined();

  const second = await newGarbage();
  jest.advanceTimersByTime(10_000);
  expect(second.deref()).toBeUndefined();
});
