import { parseDuration, wholeNumber } from './options.js';

it('parses times', () => {
  expect(['90', '90s', '5m', '1.5h', '250ms'].map(parseDuration)).toEqual([90_000, 90_000, 300_000, 5_400_000, 250]);
  for (const text of ['', 'soon', '5d', '-1s']) expect(() => parseDuration(text)).toThrow('90s, 5m or 1h');
});

it('parses whole numbers within bounds', () => {
  const parse = wholeNumber(1, 10);
  expect([parse('1'), parse('10')]).toEqual([1, 10]);
  for (const text of ['0', '11', '1.5', 'x', '']) expect(() => parse(text)).toThrow('between 1 and 10');
});
