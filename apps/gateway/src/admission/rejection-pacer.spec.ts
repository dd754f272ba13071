import { jest } from '@jest/globals';
import { RejectionPacer } from './rejection-pacer.js';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('sends six rejections per admitted request immediately and the rest in order within a second', () => {
  let now = 0;
  const sent: number[] = [];
  const pacer = new RejectionPacer(() => now);
  const reject = (count: number): void => {
    for (let remaining = count; remaining > 0; remaining -= 1) pacer.push(() => sent.push(sent.length));
  };
  const pass = (milliseconds: number): void => {
    for (let remaining = milliseconds; remaining > 0; remaining -= 20) {
      now += 20;
      jest.advanceTimersByTime(20);
    }
  };
  reject(3_500);
  expect(sent).toHaveLength(3_000);
  pass(100);
  expect(sent).toHaveLength(3_000);
  for (let count = 0; count < 25; count += 1) pacer.admitted();
  pass(20);
  expect(sent).toHaveLength(3_150);
  pass(1_000);
  expect(sent).toEqual(Array.from({ length: 3_500 }, (_, number) => number));
  expect(jest.getTimerCount()).toBe(0);
  pacer.admitted();
  reject(7);
  expect(sent).toHaveLength(3_506);
});
