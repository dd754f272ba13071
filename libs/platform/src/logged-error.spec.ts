import { describeError, errorMessage, framesOf, loggable } from './logged-error.js';

const SECRET = 'agt_of-somebody';

/** Creates an error like those of typeorm and pg. */
const failedQuery = (code: string, message: string): Error =>
  Object.assign(new Error(message), {
    code,
    severity: 'ERROR',
    query: 'SELECT $1',
    parameters: [SECRET],
    detail: `Key (email)=(${SECRET}) already exists.`,
    where: `unnamed portal parameter $1 = '${SECRET}'`,
    driverError: { detail: SECRET },
  });

it.each([
  [failedQuery('22P02', `invalid input syntax for type uuid: "${SECRET}"`), 'invalid input syntax for type uuid: "…"'],
  [
    failedQuery('22003', `value "${SECRET}" "x" is out of range for type integer`),
    'value "…" is out of range for type integer',
  ],
  [
    failedQuery('22007', `ungültige Eingabesyntax für Typ date: „${SECRET}“`),
    'ungültige Eingabesyntax für Typ date: "…"',
  ],
  [failedQuery('23505', 'duplicate key violates "users_email"'), 'duplicate key violates "users_email"'],
  [
    new SyntaxError(`Unexpected token 'a', "${SECRET}" is not valid JSON`),
    'Unexpected token \'a\', "…" is not valid JSON',
  ],
  [new Error('connect ECONNREFUSED "a"'), 'connect ECONNREFUSED "a"'],
  [
    new Error(`sign-in: invalid: "${SECRET}"`, { cause: failedQuery('22P02', `invalid: "${SECRET}"`) }),
    'sign-in: invalid: "…"',
  ],
])('describes %s without values', (error, expected) => {
  expect(errorMessage(error)).toBe(expected);
  expect(JSON.stringify(describeError(error))).not.toContain(SECRET);
});

it('describes only type, message, code, frames and causes', () => {
  const cause = Object.assign(new TypeError('no answer'), { code: 'ETIMEDOUT', request: SECRET });
  const error = new AggregateError([new Error('one')], `line\n    at ${SECRET} (file.ts:1:2)`, { cause });
  const described = describeError(error);
  expect(described).toMatchObject({
    type: 'AggregateError',
    cause: { type: 'TypeError', message: 'no answer', code: 'ETIMEDOUT' },
    errors: [{ type: 'Error', message: 'one' }],
  });
  expect(Object.keys(described.cause!)).toEqual(['type', 'message', 'code', 'stack']);
  expect(described.stack).toMatch(/^ {4}at .*logged-error\.spec/);
  expect(described.stack).not.toContain(SECRET);
});

it('removes the message from a stack that is a string', () => {
  expect(framesOf(`Error: ${SECRET}\n    at a (file.ts:1:2)`)).toBe('    at a (file.ts:1:2)');
});

it('handles circular causes', () => {
  const error = new Error('round');
  error.cause = error;
  expect(errorMessage(new Error('outer', { cause: error }))).toBe('outer');
  expect(describeError(error).message).toBe('round');
});

it('redacts errors at any depth of a log entry', () => {
  const line = { deep: { list: [failedQuery('22P02', `bad: "${SECRET}"`)] }, at: new Date(0), count: 1 };
  expect(JSON.stringify(loggable(line))).not.toContain(SECRET);
  expect(loggable(line)).toMatchObject({ deep: { list: [{ message: 'bad: "…"' }] }, at: new Date(0), count: 1 });
});
