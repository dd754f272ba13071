import { setImmediate as settled } from 'node:timers/promises';
import { Turns } from './turns.js';

const late = (): Error => new Error('too late');

it('lets only so many at once, in their order, also after one that failed', async () => {
  const turns = new Turns(2);
  const started: number[] = [];
  const ends: PromiseWithResolvers<number>[] = [];
  const works = Array.from({ length: 4 }, (_, index) =>
    turns.take(
      () => {
        started.push(index);
        ends[index] = Promise.withResolvers<number>();
        return ends[index].promise;
      },
      60_000,
      late,
    ),
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

it('gives up who waits too long, and goes on with the others', async () => {
  const turns = new Turns(1);
  const first = Promise.withResolvers<string>();
  const under = turns.take(() => first.promise, 60_000, late);
  const second = turns.take(async () => 'second', 1, late);
  const third = turns.take(async () => 'third', 60_000, late);
  await expect(second).rejects.toThrow('too late');
  first.resolve('first');
  expect(await Promise.all([under, third])).toEqual(['first', 'third']);
  expect(await turns.take(async () => 'fourth', 1, late)).toBe('fourth');
});
