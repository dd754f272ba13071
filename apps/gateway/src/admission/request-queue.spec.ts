import { RequestQueue } from './request-queue.js';

const KIB = 1_024;
const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('starts a few requests per tick, in order, so Node.js can accept connections in between', async () => {
  const queue = new RequestQueue();
  const started: number[] = [];
  for (let number = 0; number < 6; number += 1) queue.push(16 * KIB, () => started.push(number));
  expect(started).toEqual([0, 1]);
  await nextTick();
  expect(started).toEqual([0, 1, 2, 3]);
  queue.push(1, () => started.push(6));
  expect(started).toEqual([0, 1, 2, 3]);
  await nextTick();
  await nextTick();
  expect(started).toEqual([0, 1, 2, 3, 4, 5, 6]);
  await nextTick();
  queue.push(1_000 * KIB, () => started.push(7));
  queue.push(1, () => started.push(8));
  expect(started.at(-1)).toBe(7);
  await nextTick();
  expect(started.at(-1)).toBe(8);
});
