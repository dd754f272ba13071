import { describeError, errorMessage, extractFrames, toLoggable } from './logged-error.js';

const SECRET = 'agt_of-somebody';

/** Creates an error like those from TypeORM and pg. */
const createQueryError = (code: string, message: string): Error =>
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
  [
    createQueryError('22P02', `invalid input syntax for type uuid: "${SECRET}"`),
    'invalid input syntax for type uuid: "…"',
  ],
  [
    createQueryError('22003', `value "${SECRET}" "x" is out of range for type integer`),
    'value "…" is out of range for type integer',
  ],
  [
    createQueryError('22007', `ungültige Eingabesyntax für Typ date: „${SECRET}“`),
    'ungültige Eingabesyntax für Typ date: "…"',
  ],
  [createQueryError('23505', 'duplicate key violates "users_email"'), 'duplicate key violates "users_email"'],
  [
    new SyntaxError(`Unexpected token 'a', "${SECRET}" is not valid JSON`),
    'Unexpected token \'a\', "…" is not valid JSON',
  ],
  [new Error('connect ECONNREFUSED "a"'), 'connect ECONNREFUSED "a"'],
  [
    new Error(`sign-in: invalid: "${SECRET}"`, { cause: createQueryError('22P02', `invalid: "${SECRET}"`) }),
    'sign-in: invalid: "…"',
  ],
])('errorMessage and describeError omit the values in %s', (error, expected) => {
  expect(errorMessage(error)).toBe(expected);
  expect(JSON.stringify(describeError(error))).not.toContain(SECRET);
});

it('describeError includes only the type, message, code, frames and causes', () => {
  const cause = Object.assign(new TypeError('no response'), { code: 'ETIMEDOUT', request: SECRET });
  const error = new AggregateError([new Error('one')], `line\n    at ${SECRET} (file.ts:1:2)`, { cause });
  const description = describeError(error);
  expect(description).toMatchObject({
    type: 'AggregateError',
    cause: { type: 'TypeError', message: 'no response', code: 'ETIMEDOUT' },
    errors: [{ type: 'Error', message: 'one' }],
  });
  expect(Object.keys(description.cause!)).toEqual(['type', 'message', 'code', 'stack']);
  expect(description.stack).toMatch(/^ {4}at .*logged-error\.spec/);
  expect(description.stack).not.toContain(SECRET);
});

it('extractFrames removes the message from a stack string', () => {
  expect(extractFrames(`Error: ${SECRET}\n    at a (file.ts:1:2)`)).toBe('    at a (file.ts:1:2)');
});

it('describeError handles circular causes', () => {
  const error = new Error('round');
  error.cause = error;
  expect(errorMessage(new Error('outer', { cause: error }))).toBe('outer');
  expect(describeError(error).message).toBe('round');
});

it('loggable redacts errors at any depth in a log entry', () => {
  const logEntry = { deep: { list: [createQueryError('22P02', `bad: "${SECRET}"`)] }, at: new Date(0), count: 1 };
  expect(JSON.stringify(toLoggable(logEntry))).not.toContain(SECRET);
  expect(toLoggable(logEntry)).toMatchObject({ deep: { list: [{ message: 'bad: "…"' }] }, at: new Date(0), count: 1 });
});
