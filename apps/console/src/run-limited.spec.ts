import { setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';
import { runLimited } from './run-limited.js';

const timeoutError = (): Error => new Error('too late');
const longWait = { timeoutMs: 60_000, timeoutError };
const shortWait = { timeoutMs: 1, timeoutError };

it('limits concurrency, preserves order and continues after a failure', async () => {
  const limit = pLimit(2);
  const started: number[] = [];
  const deferreds: PromiseWithResolvers<number>[] = [];
  const results = Array.from({ length: 4 }, (_, index) =>
    runLimited(limit, longWait, () => {
      started.push(index);
      deferreds[index] = Promise.withResolvers<number>();
      return deferreds[index].promise;
    }),
  );
  await setImmediate();
  expect(started).toEqual([0, 1]);
  deferreds[1]!.reject(new Error('failed'));
  await expect(results[1]).rejects.toThrow('failed');
  deferreds[0]!.resolve(0);
  expect(await results[0]).toBe(0);
  await setImmediate();
  expect(started).toEqual([0, 1, 2, 3]);
  deferreds[2]!.resolve(2);
  deferreds[3]!.resolve(3);
  expect(await Promise.all([results[2], results[3]])).toEqual([2, 3]);
});

it('rejects work that waits too long without running it, and continues with the rest', async () => {
  const limit = pLimit(1);
  const first = Promise.withResolvers<string>();
  const running = runLimited(limit, longWait, () => first.promise);
  let hasRun = false;
  const second = runLimited(limit, shortWait, async () => {
    hasRun = true;
  });
  const third = runLimited(limit, longWait, async () => 'third');
  await expect(second).rejects.toThrow('too late');
  first.resolve('first');
  expect(await Promise.all([running, third])).toEqual(['first', 'third']);
  expect(hasRun).toBe(false);
  expect(await runLimited(limit, longWait, async () => 'fourth')).toBe('fourth');
});

it("doesn't time out work that has started", async () => {
  const work = Promise.withResolvers<string>();
  const running = runLimited(pLimit(1), shortWait, () => work.promise);
  setTimeout(() => work.resolve('done'), 20);
  expect(await running).toBe('done');
});
