import { setImmediate as tick } from 'node:timers/promises';
import { RequestWindow } from './request-window.js';

const refusal = new Error('busy');

/** Creates a window whose requests settle on demand. `underWay` holds the requests in flight, oldest first. */
function windowOf(max: number) {
  const window = new RequestWindow(max, (error) => error === refusal);
  const underWay: { answer: () => void; fail: (error: Error) => void }[] = [];
  const start = (count: number): void => {
    for (let index = 0; index < count; index += 1) {
      const request = () => new Promise<void>((answer, fail) => underWay.push({ answer, fail }));
      window.run(request).catch(() => {});
    }
  };
  /** Settles the oldest `count` requests in one event-loop tick. */
  const end = async (count: number, how: 'answer' | Error): Promise<void> => {
    for (const { answer, fail } of underWay.splice(0, count)) {
      if (how === 'answer') answer();
      else fail(how);
    }
    await tick();
  };
  return { underWay, start, end };
}

it('sends up to the maximum number of requests at once', async () => {
  const { underWay, start, end } = windowOf(4);
  start(20);
  await tick();
  expect(underWay).toHaveLength(4);
  await end(3, 'answer');
  expect(underWay).toHaveLength(4);
});

it('halves the window when overloaded, once per set of concurrent requests', async () => {
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

it('never shrinks the window below one request', async () => {
  const { underWay, start, end } = windowOf(4);
  start(100);
  await tick();
  for (let round = 0; round < 10; round += 1) await end(underWay.length, refusal);
  expect(underWay).toHaveLength(1);
});

it('grows the window after successful requests, up to the maximum', async () => {
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

it('keeps the window size on other errors', async () => {
  const { underWay, start, end } = windowOf(4);
  start(100);
  await tick();
  for (let round = 0; round < 3; round += 1) await end(4, new Error('gone'));
  expect(underWay).toHaveLength(4);
});
