import { anyOperation } from '../../../../test/kit/operation.js';
import { ProblemError } from '../problem.js';
import { readParams, readQuery } from './read-request.js';

const text = { description: '', schema: {}, fault: '', read: (texts: readonly string[]) => texts.at(-1) ?? null };
const search = anyOperation('GET /things', 'open', { query: { path: text } });

function faultsOf(parameters: Record<string, string | string[]>): string[] {
  try {
    readQuery(search, parameters);
    return [];
  } catch (error) {
    return (error as ProblemError).errors!.map(({ pointer, detail }) => `${pointer} ${detail}`);
  }
}

it('says that an id is a UUID, of another text', () => {
  const find = anyOperation('GET /things/{id}', 'open', { params: { id: { ...text, noun: 'thing' } } });
  expect(() => readParams(find, { id: 'Name' })).toThrow('There is no such thing: its id must be a UUID.');
});

it('takes a blank parameter for an absent one', () => {
  expect(readQuery(search, { path: '' })).toEqual({ path: null });
  expect(readQuery(search, { path: ['', '/a'] })).toEqual({ path: '/a' });
});

it('refuses what the database cannot store, and unknown parameters', () => {
  const notPostgresText = '/path must not hold a NUL character or half of a surrogate pair';
  expect(faultsOf({ path: ['/a', '/\0'], of: 'x' })).toEqual([
    notPostgresText,
    '/of is not a parameter; known are: path',
  ]);
  expect(faultsOf({ path: '/\uD800' })).toEqual([notPostgresText]);
});
