import { findFailingTool, findFailureTime } from './failures.js';

const search = { tool: 'search', calls: 377, errors: 22 };
const track = { tool: 'track', calls: 95, errors: 10 };

it('finds the tool with the highest failure rate, not the one with the most failed calls', () => {
  expect(findFailingTool([search, track], 0.075)).toBe(track);
});

it('ignores tools with few failed calls, and rates close to the overall rate', () => {
  expect(findFailingTool([search, { tool: 'rare', calls: 2, errors: 2 }], 0.05)).toBeUndefined();
});

it('finds a short time with most of the failed calls', () => {
  expect(findFailureTime([0, 0, 1, 0, 0, 0, 0, 3, 2, 0, 0, 0])).toEqual({ first: 7, last: 8, errors: 5 });
});

it.each([
  ['few failed calls', [0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0]],
  ['failed calls all the time', [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]],
  ['no failed calls', [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
])('finds none with %s', (_, errors) => {
  expect(findFailureTime(errors)).toBeNull();
});
