import { jest } from '@jest/globals';
import { PeriodicTask } from './periodic-task.js';

it('continues after a failed round', async () => {
  let rounds = 0;
  const errors: unknown[] = [];
  const third = Promise.withResolvers<void>();
  const work = async (): Promise<void> => {
    rounds += 1;
    if (rounds === 1) throw new Error('once');
    if (rounds === 3) third.resolve();
  };
  const repeated = new PeriodicTask(work, 1, (error) => errors.push(error));
  repeated.start();
  await third.promise;
  await repeated.stop();
  expect(errors).toEqual([new Error('once')]);
});

it('waits for the current round when stopped, and starts no other', async () => {
  jest.useFakeTimers();
  const done = Promise.withResolvers<void>();
  let rounds = 0;
  const repeated = new PeriodicTask(
    () => {
      rounds += 1;
      return done.promise;
    },
    1,
    () => undefined,
  );
  repeated.start();
  let hasStopped = false;
  const stopped = repeated.stop().finally(() => {
    hasStopped = true;
  });
  await jest.advanceTimersByTimeAsync(10);
  expect([hasStopped, repeated.isStopped]).toEqual([false, true]);
  done.resolve();
  await stopped;
  await jest.advanceTimersByTimeAsync(10);
  expect(rounds).toBe(1);
  jest.useRealTimers();
});
