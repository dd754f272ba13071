import { setImmediate as tick } from 'node:timers/promises';
import { RequestWindow } from './request-window.js';

const refusal = new Error('busy');

/** A window whose requests end as told; `underWay` is how many were made and have not ended. */
function windowOf(max: number) {
  const window = new RequestWindow(max, (error) => error === refusal);
  const underWay: { answer: () => void; fail: (error: Error) => void }[] = [];
  const start = (count: number): void => {
    for (let index = 0; index < count; index += 1) {
      const request = () => new Promise<void>((answer, fail) => underWay.push({ answer, fail }));
      window.run(request).catch(() => {});
    }
  };
  /** Ends the oldest requests, all in one turn. */
  const end = async (count: number, how: 'answer' | Error): Promise<void> => {
    for (const { answer, fail } of underWay.splice(0, count)) {
      if (how === 'answer') answer();
      else fail(how);
    }
    await tick();
  };
  return { underWay, start, end };
}

it('has as many requests under way as it may', async () => {
  const { underWay, start, end } = windowOf(4);
  start(20);
  await tick();
  expect(underWay).toHaveLength(4);
  await end(3, 'answer');
  expect(underWay).toHaveLength(4);
});

it('halves them at a refusal for load, once for those that were under way together', async () => {
  const { underWay, start, end } = windowOf(8);
  start(100);
  await tick();
  await end(8, refusal);
  expect(underWay).toHaveLength(4);
  await end(1, refusal);
  expect(underWay).toHaveLength(3);
  await end(1, 'answer');
  expect(underWay).toHaveLength(2);
});

it('never has less than one under way', async () => {
  const { underWay, start, end } = windowOf(4);
  start(100);
  await tick();
  for (let round = 0; round < 10; round += 1) await end(underWay.length, refusal);
  expect(underWay).toHaveLength(1);
});

it('has one more under way for each round of answers, up to the most', async () => {
  const { underWay, start, end } = windowOf(4);
  start(200);
  await tick();
  for (let round = 0; round < 4; round += 1) await end(underWay.length, refusal);
  const sizes: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    sizes.push(underWay.length);
    await end(underWay.length, 'answer');
  }
  expect(sizes).toEqual([1, 2, 2, 3, 4, 4]);
});

it('is not slowed down by other failures', async () => {
  const { underWay, start, end } = windowOf(4);
  start(100);
  await tick();
  for (let round = 0; round < 3; round += 1) await end(4, new Error('gone'));
  expect(underWay).toHaveLength(4);
});
