import { setImmediate as tick } from 'node:timers/promises';
import { ConnectionError, HttpError } from '../cli-error.js';
import { RequestWindow } from './request-window.js';

const refusal = (status: number): HttpError => new HttpError(status, {}, `${status}: no`);

/** A window whose requests end as told; `underWay` is how many were made and have not ended. */
function windowOf(max: number) {
  const window = new RequestWindow(max);
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

it.each([429, 503])('halves them at a %s, once for those that were under way together', async (status) => {
  const { underWay, start, end } = windowOf(8);
  start(100);
  await tick();
  await end(8, refusal(status));
  expect(underWay).toHaveLength(4);
  await end(1, refusal(status));
  expect(underWay).toHaveLength(3);
  await end(1, 'answer');
  expect(underWay).toHaveLength(2);
});

it('never has less than one under way', async () => {
  const { underWay, start, end } = windowOf(4);
  start(100);
  await tick();
  for (let round = 0; round < 10; round += 1) await end(underWay.length, refusal(503));
  expect(underWay).toHaveLength(1);
});

it('has one more under way for each round of answers, up to the most', async () => {
  const { underWay, start, end } = windowOf(4);
  start(200);
  await tick();
  for (let round = 0; round < 4; round += 1) await end(underWay.length, refusal(503));
  const sizes: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    sizes.push(underWay.length);
    await end(underWay.length, 'answer');
  }
  expect(sizes).toEqual([1, 2, 2, 3, 4, 4]);
});

it.each([refusal(500), refusal(422), refusal(409), new ConnectionError('No instance answers.')])(
  'is not slowed down by %s',
  async (error) => {
    const { underWay, start, end } = windowOf(4);
    start(100);
    await tick();
    for (let round = 0; round < 3; round += 1) await end(4, error);
    expect(underWay).toHaveLength(4);
  },
);
