import type { OperationAccess } from '#libs/contracts';
import { anyOperation } from '../../../../test/kit/operation.js';
import type { ProblemError } from '../problem.js';
import { readParams, readQuery, unfitBody } from './read-request.js';

const text = { description: '', schema: {}, fault: '', read: (texts: readonly string[]) => texts.at(-1) ?? null };
const search = anyOperation('GET /things', 'open', { query: { path: text } });

function thrownBy(read: () => unknown): ProblemError {
  try {
    read();
  } catch (error) {
    return error as ProblemError;
  }
  throw new Error('nothing was thrown');
}

function faultsOf(parameters: Record<string, string | string[]>): string[] {
  const { errors } = thrownBy(() => readQuery(search, parameters));
  return errors!.map(({ pointer, detail }) => `${pointer} ${detail}`);
}

it('rejects an ID that is not a UUID', () => {
  const find = anyOperation('GET /things/{id}', 'open', { params: { id: { ...text, noun: 'thing' } } });
  expect(() => readParams(find, { id: 'Name' })).toThrow('There is no such thing: its id must be a UUID.');
});

it('treats a blank parameter as absent', () => {
  expect(readQuery(search, { path: '' })).toEqual({ path: null });
  expect(readQuery(search, { path: ['', '/a'] })).toEqual({ path: '/a' });
});

it('quotes the invalid value, truncated if long, except for token access', () => {
  const limit = {
    ...text,
    fault: 'must be a whole number',
    read: (texts: readonly string[]) => (texts.every((one) => /^\d+$/.test(one)) ? texts.map(Number) : undefined),
  };
  const refusalOf = (access: OperationAccess, value: string | string[]): ProblemError => {
    const list = anyOperation('GET /things', access, { query: { limit } });
    return thrownBy(() => readQuery(list, { limit: value }));
  };
  const faultOf = (...given: Parameters<typeof refusalOf>): string => refusalOf(...given).message;
  const sentence = 'The parameters are not valid: limit must be a whole number';
  expect(faultOf('open', ['1', 'a"b\u001b'])).toBe(`${sentence} (got "a\\"b\\u001b").`);
  expect(faultOf('open', 'x'.repeat(101))).toBe(`${sentence} (got "${'x'.repeat(100)}…").`);
  expect(faultOf('token', 'abc')).toBe(`${sentence}.`);
  expect(refusalOf('open', 'abc').errors).toEqual([{ pointer: '/limit', detail: 'must be a whole number' }]);
});

it('lists each invalid member of a body', () => {
  const refused = unfitBody([
    { pointer: '', detail: 'must have a name' },
    { pointer: '/size', detail: 'is too large' },
  ]);
  expect(refused.message).toBe('The request body is not valid: the body must have a name; /size is too large.');
});

it('rejects unknown parameters and text that PostgreSQL cannot store', () => {
  const notPostgresText = '/path must not hold a NUL character or half of a surrogate pair';
  expect(faultsOf({ path: ['/a', '/\0'], of: 'x' })).toEqual([
    notPostgresText,
    '/of is not a parameter; known are: path',
  ]);
  expect(faultsOf({ path: '/\uD800' })).toEqual([notPostgresText]);
});
