import * as fc from 'fast-check';
import { JsonDocument, type JsonPath } from './json-document.js';

const LIMITS = { depth: 10, members: 100, values: 1_000 };
const findParts = (text: string, path: JsonPath = ['*']): string[] =>
  [...new JsonDocument(Buffer.from(text), LIMITS).parts(path)].filter((part) => part !== null).map(String);
const problem = (status: number) => expect.objectContaining({ statusCode: status });

it.each<[string, JsonPath, string[]]>([
  ['[1, "a,]" ,{"b":[2,3]}, null ]', ['*'], ['1', '"a,]"', '{"b":[2,3]}', 'null']],
  ['[]', ['*'], []],
  [' { "x" : 1 } ', [], ['{ "x" : 1 }']],
  ['{"x":[0],"records":[{"data":"a"},{"data":"b"}]}', ['records', '*', 'data'], ['"a"', '"b"']],
  [String.raw`{"\u0072ecords":["\"\\"]}`, ['records', '*'], [String.raw`"\"\\"`]],
  ['{"records":{}}', ['records', '*'], []],
  ['{"a":{"records":[1]}}', ['records', '*'], []],
])('finds the parts in %s at path %j', (text, path, parts) => expect(findParts(text, path)).toEqual(parts));

it.each(['', '[', '[1', '[1 2]', '[1,,2]', '[1]x', '{"a":1', '{a:1}', '{"a" 1}', '["a]', '[,1]', '{"a":}', '[1{}]'])(
  'rejects malformed JSON: %s',
  (text) => {
    expect(() => findParts(text, text.startsWith('{') ? ['x'] : ['*'])).toThrow(problem(400) as Error);
  },
);

it('limits the nesting depth and the number of values, both inside and outside the extracted parts', () => {
  for (const path of [['*'], ['x']]) {
    expect(() => findParts('['.repeat(100), path)).toThrow(problem(422) as Error);
    expect(() => findParts(`[${'0,'.repeat(2_000)}0]`, path)).toThrow(problem(422) as Error);
    expect(() => findParts(`[[${'{},'.repeat(2_000)}0]]`, path)).toThrow(problem(422) as Error);
  }
});

it('limits the number of members only in objects along the path', () => {
  const members = (count: number) => `{${Array.from({ length: count }, (_, index) => `"n${index}":0`).join(',')}}`;
  expect(findParts(members(100), ['x'])).toEqual([]);
  expect(() => findParts(members(101), ['x'])).toThrow(problem(422) as Error);
  expect(findParts(`[${members(101)}]`)).toHaveLength(1);
});

it('limits the number of objects along the path', () => {
  expect(findParts(`[${'{},'.repeat(99)}{}]`, ['*', 'x'])).toEqual([]);
  expect(() => findParts(`[${'{},'.repeat(100)}{}]`, ['*', 'x'])).toThrow(problem(422) as Error);
});

it.each([
  ['at the path', ['*']],
  ['at another path', ['x', '*']],
])('pauses regularly in a large value %s', (_, path) => {
  const bytes = Buffer.from(`[[${'"",'.repeat(300_000)}0]]`);
  const parts = [...new JsonDocument(bytes, { ...LIMITS, values: Infinity }).parts(path)];
  expect(parts.filter((part) => part === null).length).toBeGreaterThan(10);
});

it('finds all elements of an array and recognizes the array as a single document', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.json({ maxDepth: 5 }), { maxLength: 10 }), async (elements) => {
      const text = `[${elements.join(' ,\n')}]`;
      expect(findParts(text)).toEqual(elements);
      await expect(JsonDocument.isSingleValue(Buffer.from(text), LIMITS)).resolves.toBe(true);
      await expect(JsonDocument.isSingleValue(Buffer.from(text.slice(0, -1)), LIMITS)).resolves.toBe(false);
    }),
    { numRuns: 200 },
  );
});
