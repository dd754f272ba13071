import { setImmediate as settled } from 'node:timers/promises';
import pLimit from 'p-limit';
import { limited } from './limited.js';

const timeoutError = (): Error => new Error('too late');
const patient = { timeoutMs: 60_000, timeoutError };
const impatient = { timeoutMs: 1, timeoutError };

it('limits concurrency, preserves the order and continues after a failure', async () => {
  const limit = pLimit(2);
  const started: number[] = [];
  const ends: PromiseWithResolvers<number>[] = [];
  const works = Array.from({ length: 4 }, (_, index) =>
    limited(limit, patient, () => {
      started.push(index);
      ends[index] = Promise.withResolvers<number>();
      return ends[index].promise;
    }),
  );
  await settled();
  expect(started).toEqual([0, 1]);
  ends[1]!.reject(new Error('failed'));
  await expect(works[1]).rejects.toThrow('failed');
  ends[0]!.resolve(0);
  expect(await works[0]).toBe(0);
  await settled();
  expect(started).toEqual([0, 1, 2, 3]);
  ends[2]!.resolve(2);
  ends[3]!.resolve(3);
  expect(await Promise.all([works[2], works[3]])).toEqual([2, 3]);
});

it('rejects work that waits too long, never runs it and continues with the rest', async () => {
  const limit = pLimit(1);
  const first = Promise.withResolvers<string>();
  const begun = limited(limit, patient, () => first.promise);
  let isRun = false;
  const second = limited(limit, impatient, async () => {
    isRun = true;
  });
  const third = limited(limit, patient, async () => 'third');
  await expect(second).rejects.toThrow('too late');
  first.resolve('first');
  expect(await Promise.all([begun, third])).toEqual(['first', 'third']);
  expect(isRun).toBe(false);
  expect(await limited(limit, patient, async () => 'fourth')).toBe('fourth');
});

it('never times out work that has started', async () => {
  const work = Promise.withResolvers<string>();
  const begun = limited(pLimit(1), impatient, () => work.promise);
  setTimeout(() => work.resolve('done'), 20);
  expect(await begun).toBe('done');
});
