import { jest } from '@jest/globals';
import { PeriodicTask } from './periodic-task.js';

it('PeriodicTask continues after a failed round', async () => {
  let rounds = 0;
  const errors: unknown[] = [];
  const thirdRound = Promise.withResolvers<void>();
  const work = async (): Promise<void> => {
    rounds += 1;
    if (rounds === 1) throw new Error('once');
    if (rounds === 3) thirdRound.resolve();
  };
  const task = new PeriodicTask(work, 1, (error) => errors.push(error));
  task.start();
  await thirdRound.promise;
  await task.stop();
  expect(errors).toEqual([new Error('once')]);
});

it('PeriodicTask waits for the current round on stop and starts no others', async () => {
  jest.useFakeTimers();
  const pendingRound = Promise.withResolvers<void>();
  let rounds = 0;
  const task = new PeriodicTask(
    () => {
      rounds += 1;
      return pendingRound.promise;
    },
    1,
    () => undefined,
  );
  task.start();
  let hasStopped = false;
  const stopped = task.stop().finally(() => {
    hasStopped = true;
  });
  await jest.advanceTimersByTimeAsync(10);
  expect([hasStopped, task.isStopped]).toEqual([false, true]);
  pendingRound.resolve();
  await stopped;
  await jest.advanceTimersByTimeAsync(10);
  expect(rounds).toBe(1);
  jest.useRealTimers();
});
