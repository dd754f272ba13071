import { setImmediate } from 'node:timers/promises';
import { RequestWindow } from './request-window.js';

const overload = new Error('busy');

/** Creates a window whose requests settle on demand. `inFlight` contains the in-flight requests, oldest first. */
function createWindow(max: number) {
  const window = new RequestWindow(max, (error) => error === overload);
  const inFlight: { answer: () => void; fail: (error: Error) => void }[] = [];
  const start = (count: number): void => {
    for (let index = 0; index < count; index += 1) {
      const request = () => new Promise<void>((answer, fail) => inFlight.push({ answer, fail }));
      window.run(request).catch(() => {});
    }
  };
  /** Settles the oldest `count` requests in the same event-loop tick. */
  const end = async (count: number, how: 'answer' | Error): Promise<void> => {
    for (const { answer, fail } of inFlight.splice(0, count)) {
      if (how === 'answer') answer();
      else fail(how);
    }
    await setImmediate();
  };
  return { underWay: inFlight, start, end };
}

it('sends up to the maximum number of requests at once', async () => {
  const { underWay: inFlight, start, end } = createWindow(4);
  start(20);
  await setImmediate();
  expect(inFlight).toHaveLength(4);
  await end(3, 'answer');
  expect(inFlight).toHaveLength(4);
});

it('halves the window once if concurrent requests are rejected due to load', async () => {
  const { underWay: inFlight, start, end } = createWindow(8);
  start(100);
  await setImmediate();
  await end(8, overload);
  expect(inFlight).toHaveLength(4);
  await end(1, overload);
  expect(inFlight).toHaveLength(3);
  await end(1, 'answer');
  expect(inFlight).toHaveLength(2);
});

it('never shrinks the window below one request', async () => {
  const { underWay: inFlight, start, end } = createWindow(4);
  start(100);
  await setImmediate();
  for (let round = 0; round < 10; round += 1) await end(inFlight.length, overload);
  expect(inFlight).toHaveLength(1);
});

it('grows the window up to the maximum after successful requests', async () => {
  const { underWay: inFlight, start, end } = createWindow(4);
  start(200);
  await setImmediate();
  for (let round = 0; round < 4; round += 1) await end(inFlight.length, overload);
  const sizes: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    sizes.push(inFlight.length);
    await end(inFlight.length, 'answer');
  }
  expect(sizes).toEqual([1, 2, 2, 3, 4, 4]);
});

it("doesn't change the window size after other errors", async () => {
  const { underWay: inFlight, start, end } = createWindow(4);
  start(100);
  await setImmediate();
  for (let round = 0; round < 3; round += 1) await end(4, new Error('gone'));
  expect(inFlight).toHaveLength(4);
});
