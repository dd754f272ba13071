import type { OperationAccess } from '#libs/contracts';
import { createOperation } from '../../../../test/kit/operation.js';
import type { ProblemError } from '../problem.js';
import { readParams, readQuery, invalidBodyError } from './read-request.js';

const text = { description: '', schema: {}, fault: '', read: (texts: readonly string[]) => texts.at(-1) ?? null };
const search = createOperation('GET /things', 'open', { query: { path: text } });

function catchProblem(read: () => unknown): ProblemError {
  try {
    read();
  } catch (error) {
    return error as ProblemError;
  }
  throw new Error('expected an error');
}

function listFaults(parameters: Record<string, string | string[]>): string[] {
  const { errors } = catchProblem(() => readQuery(search, parameters));
  return errors!.map(({ pointer, detail }) => `${pointer} ${detail}`);
}

it("readParams rejects an ID that isn't a UUID", () => {
  const find = createOperation('GET /things/{id}', 'open', { params: { id: { ...text, noun: 'thing' } } });
  expect(() => readParams(find, { id: 'Name' })).toThrow("This thing doesn't exist. Its ID must be a UUID.");
});

it('readQuery treats a blank parameter as absent', () => {
  expect(readQuery(search, { path: '' })).toEqual({ path: null });
  expect(readQuery(search, { path: ['', '/a'] })).toEqual({ path: '/a' });
});

it('readQuery quotes and truncates invalid values, except with token access', () => {
  const limit = {
    ...text,
    fault: 'must be an integer',
    read: (texts: readonly string[]) => (texts.every((one) => /^\d+$/.test(one)) ? texts.map(Number) : undefined),
  };
  const getRejection = (access: OperationAccess, value: string | string[]): ProblemError => {
    const list = createOperation('GET /things', access, { query: { limit } });
    return catchProblem(() => readQuery(list, { limit: value }));
  };
  const getMessage = (...given: Parameters<typeof getRejection>): string => getRejection(...given).message;
  const messageStart = 'The parameters are invalid: limit must be an integer';
  expect(getMessage('open', ['1', 'a"b\u001b'])).toBe(`${messageStart} (got "a\\"b\\u001b").`);
  expect(getMessage('open', 'x'.repeat(101))).toBe(`${messageStart} (got "${'x'.repeat(100)}…").`);
  expect(getMessage('token', 'abc')).toBe(`${messageStart}.`);
  expect(getRejection('open', 'abc').errors).toEqual([{ pointer: '/limit', detail: 'must be an integer' }]);
});

it('invalidBodyError lists each invalid member', () => {
  const problem = invalidBodyError([
    { pointer: '', detail: 'must have a name' },
    { pointer: '/size', detail: 'is too large' },
  ]);
  expect(problem.message).toBe('The request body is invalid: the body must have a name; /size is too large.');
});

it("readQuery rejects unknown parameters and text that PostgreSQL can't store", () => {
  const notPostgresText = '/path must not contain NUL characters or unpaired surrogates';
  expect(listFaults({ path: ['/a', '/\0'], of: 'x' })).toEqual([
    notPostgresText,
    '/of is not a known parameter. Valid parameters: path',
  ]);
  expect(listFaults({ path: '/\uD800' })).toEqual([notPostgresText]);
});
