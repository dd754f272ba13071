import { jest } from '@jest/globals';
import { measureGrowth, MAX_GROWTH } from '../../../test/kit/cost.js';
import { findExceededLimit, VISITS_JSON_LIMITS, type JsonLimits } from './json-limits.js';

const limits: JsonLimits = { depth: 3, members: 4, values: 20 };
const exceeded = (text: string, overrides: Partial<JsonLimits> = {}) =>
  findExceededLimit(text, { ...limits, ...overrides });

it.each([
  ['[[[1]]]'],
  ['[[[]],[[]],[[]]]'],
  ['{"a":1,"b":2,"c":3,"d":4}'],
  ['[{"a":1,"b":2},{"a":1,"b":2},{"a":1,"b":2}]'],
  ['{"a":[1,2,3,4,5,6,7,8],"b":1}'],
  ['"[[[[[[[[[["'],
  [String.raw`["\"[[[[", "\\", "{,,,,,,,,,,,,,,,,,,,,,,,\"", "\\\\\\\""]`],
])('accepts JSON within the limits: %s', (text) => {
  JSON.parse(text);
  expect(exceeded(text)).toBeNull();
});

it.each([
  ['[[[[1]]]]', { limit: 'depth', byte: 3 }],
  ['{"a":{"b":{"c":{}}}}', { limit: 'depth', byte: 15 }],
  ['["\\\\",[[[]]]]', { limit: 'depth', byte: 8 }],
  ['["é€😀",[[[]]]]', { limit: 'depth', byte: 15 }],
  ['{"a":1,"b":2,"c":3,"d":4,"e":5}', { limit: 'members', byte: 24 }],
  ['[{"a":{"x":0,"y":0},"b":[1,2,3],"c":3,"d":4,"e":5}]', { limit: 'members', byte: 43 }],
  [`[${'0,'.repeat(40)}0]`, { limit: 'values', byte: 40 }],
  [`[${'{},'.repeat(15)}{}]`, { limit: 'values', byte: 30 }],
])('reports which limit %s exceeds and at which byte', (text, place) => {
  JSON.parse(text);
  expect(exceeded(text)).toEqual(place);
});

it('leaves malformed JSON to the parser', () => {
  for (const text of ['', '"', '["\\', ']]]]]]]]]', '}}}}}}{', `"${'\\"'.repeat(50)}`])
    expect(exceeded(text)).toBeNull();
});

it('accepts a batch that contains a deeply nested visit, but not unbounded nesting', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  expect(findExceededLimit(nested(100_000), VISITS_JSON_LIMITS)).toBeNull();
  expect(findExceededLimit('['.repeat(2_400_000), VISITS_JSON_LIMITS)).toEqual({ limit: 'depth', byte: 131_072 });
});

it('does not scan text that is too short to exceed a limit', () => {
  const scan = jest.fn(() => 0);
  const text = { length: 100_000, charCodeAt: scan, indexOf: scan };
  expect(findExceededLimit(text as unknown as string, VISITS_JSON_LIMITS)).toBeNull();
  expect(scan).not.toHaveBeenCalled();
});

it.each([
  ['values', (size: number) => `[${'0,'.repeat(size)}0]`],
  ['nesting', (size: number) => '['.repeat(size)],
  ['strings', (size: number) => '"",'.repeat(size)],
  ['a string of escape sequences', (size: number) => `"${'\\"'.repeat(size)}`],
  ['an unclosed string of backslashes', (size: number) => `"${'\\'.repeat(size)}`],
  ['unclosed strings', (size: number) => `${'\\'.repeat(size)}${'"'.repeat(size)}`],
])('scans %s in linear time', async (_, createText) => {
  const unlimited = { depth: Infinity, members: 0, values: Infinity };
  const createWork = (size: number) => {
    const text = createText(size);
    return () => findExceededLimit(text, unlimited);
  };
  expect(await measureGrowth(createWork, 500)).toBeLessThan(MAX_GROWTH);
});
