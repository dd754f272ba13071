import * as fc from 'fast-check';
import { JsonDocument, type JsonPath } from './json-document.js';

const LIMITS = { depth: 10, members: 100, values: 1_000 };
const partsOf = (text: string, path: JsonPath = ['*']): string[] =>
  [...new JsonDocument(Buffer.from(text), LIMITS).parts(path)].map(String);
const refusal = (status: number) => expect.objectContaining({ statusCode: status });

it.each<[string, JsonPath, string[]]>([
  ['[1, "a,]" ,{"b":[2,3]}, null ]', ['*'], ['1', '"a,]"', '{"b":[2,3]}', 'null']],
  ['[]', ['*'], []],
  [' { "x" : 1 } ', [], ['{ "x" : 1 }']],
  ['{"x":[0],"records":[{"data":"a"},{"data":"b"}]}', ['records', '*', 'data'], ['"a"', '"b"']],
  [String.raw`{"\u0072ecords":["\"\\"]}`, ['records', '*'], [String.raw`"\"\\"`]],
  ['{"records":{}}', ['records', '*'], []],
  ['{"a":{"records":[1]}}', ['records', '*'], []],
])('finds the parts of %s at %j', (text, path, parts) => expect(partsOf(text, path)).toEqual(parts));

it.each(['', '[', '[1', '[1 2]', '[1,,2]', '[1]x', '{"a":1', '{a:1}', '{"a" 1}', '["a]', '[,1]', '{"a":}', '[1{}]'])(
  'rejects %s, which is not JSON',
  (text) => {
    expect(() => partsOf(text, text.startsWith('{') ? ['x'] : ['*'])).toThrow(refusal(400) as Error);
  },
);

it('limits depth and the number of values, inside and outside the parts', () => {
  for (const path of [['*'], ['x']]) {
    expect(() => partsOf('['.repeat(100), path)).toThrow(refusal(422) as Error);
    expect(() => partsOf(`[${'0,'.repeat(2_000)}0]`, path)).toThrow(refusal(422) as Error);
    expect(() => partsOf(`[[${'{},'.repeat(2_000)}0]]`, path)).toThrow(refusal(422) as Error);
  }
});

it('limits the members of an object in which it looks for a name', () => {
  const members = (count: number) => `{${Array.from({ length: count }, (_, index) => `"n${index}":0`).join(',')}}`;
  expect(partsOf(members(100), ['x'])).toEqual([]);
  expect(() => partsOf(members(101), ['x'])).toThrow(refusal(422) as Error);
  expect(partsOf(`[${members(101)}]`)).toHaveLength(1);
});

it('limits the number of objects in which it looks for parts', () => {
  expect(partsOf(`[${'{},'.repeat(99)}{}]`, ['*', 'x'])).toEqual([]);
  expect(() => partsOf(`[${'{},'.repeat(100)}{}]`, ['*', 'x'])).toThrow(refusal(422) as Error);
});

it('finds the elements of any array, and recognizes it as a single document', () => {
  fc.assert(
    fc.property(fc.array(fc.json({ maxDepth: 5 }), { maxLength: 10 }), (elements) => {
      const text = `[${elements.join(' ,\n')}]`;
      expect(partsOf(text)).toEqual(elements);
      expect(JsonDocument.isOne(Buffer.from(text), LIMITS)).toBe(true);
      expect(JsonDocument.isOne(Buffer.from(text.slice(0, -1)), LIMITS)).toBe(false);
    }),
    { numRuns: 200 },
  );
});
