import { RequestQueue } from './request-queue.js';

const KIB = 1_024;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('starts a few requests per tick, in order, so connections are accepted in between', async () => {
  const queue = new RequestQueue();
  const begun: number[] = [];
  for (let number = 0; number < 6; number += 1) queue.push(16 * KIB, () => begun.push(number));
  expect(begun).toEqual([0, 1]);
  await turn();
  expect(begun).toEqual([0, 1, 2, 3]);
  queue.push(1, () => begun.push(6));
  expect(begun).toEqual([0, 1, 2, 3]);
  await turn();
  await turn();
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6]);
  await turn();
  queue.push(1_000 * KIB, () => begun.push(7));
  queue.push(1, () => begun.push(8));
  expect(begun.at(-1)).toBe(7);
  await turn();
  expect(begun.at(-1)).toBe(8);
});
