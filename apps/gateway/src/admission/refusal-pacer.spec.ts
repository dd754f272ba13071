import { jest } from '@jest/globals';
import { RefusalPacer } from './refusal-pacer.js';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('sends six refusals per admission immediately, and the others in order within a second', () => {
  let now = 0;
  const answered: number[] = [];
  const pacer = new RefusalPacer(() => now);
  const refuse = (count: number): void => {
    for (let left = count; left > 0; left -= 1) pacer.push(() => answered.push(answered.length));
  };
  const pass = (milliseconds: number): void => {
    for (let left = milliseconds; left > 0; left -= 20) {
      now += 20;
      jest.advanceTimersByTime(20);
    }
  };
  refuse(3_500);
  expect(answered).toHaveLength(3_000);
  pass(100);
  expect(answered).toHaveLength(3_000);
  for (let count = 0; count < 25; count += 1) pacer.admitted();
  pass(20);
  expect(answered).toHaveLength(3_150);
  pass(1_000);
  expect(answered).toEqual(Array.from({ length: 3_500 }, (_, number) => number));
  expect(jest.getTimerCount()).toBe(0);
  pacer.admitted();
  refuse(7);
  expect(answered).toHaveLength(3_506);
});
