import { types } from 'node:util';

/** Loggable description of an error. {@link describeError} lists the properties that are omitted. */
interface LoggedError {
  /** Class name, such as "QueryFailedError". */
  type: string;
  message: string;
  /** SQLSTATE or Node error code, such as "ECONNREFUSED". */
  code?: string | number;
  /** Stack frames, without the message that precedes them in V8. */
  stack?: string;
  cause?: LoggedError;
  errors?: LoggedError[];
}

const MAX_CAUSES = 5;
const MAX_ERRORS = 5;
/** Maximum depth at which a logged object is searched for errors. */
const MAX_DEPTH = 6;

/**
 * SQLSTATE classes whose messages name the schema, the role or the server, but never a value:
 * https://www.postgresql.org/docs/current/errcodes-appendix.html. Data exceptions (22), for example, quote the input.
 */
const CLASSES_WITHOUT_VALUES = new Set(['08', '23', '25', '28', '3D', '3F', '40', '42', '53', '55', '57', '58']);
/** PostgreSQL's quotation marks depend on the language of its messages. */
const OPENING = /["“”„«»「]/;
const CLOSING = new Set('"“”„«»」');
const FRAME = /^ {4}at .*[\d)>]$/;

const isError = (value: unknown): value is Error => types.isNativeError(value) || value instanceof Error;

/**
 * Returns the message of an error without the values that it quotes. Data exceptions of PostgreSQL quote a parameter,
 * and a failed `JSON.parse` quotes part of the text.
 */
export function errorMessage(error: unknown): string {
  if (!isError(error)) return typeof error === 'string' ? error : `a thrown ${typeof error}`;
  let message = withoutValues(error);
  // Messages often repeat the message of a cause.
  let cause = error.cause;
  for (let depth = 0; isError(cause) && depth < MAX_CAUSES; depth += 1) {
    const safe = withoutValues(cause);
    if (safe !== cause.message) message = message.replaceAll(cause.message, () => safe);
    cause = cause.cause;
  }
  return message;
}

const withoutValues = (error: Error): string => (quotesValues(error) ? withoutQuoted(error.message) : error.message);

/** Cuts everything between the first and the last quotation mark, because a value may contain some itself. */
function withoutQuoted(text: string): string {
  const first = text.search(OPENING);
  let last = text.length - 1;
  while (last > first && !CLOSING.has(text[last]!)) last--;
  return first === -1 || last === first ? text : `${text.slice(0, first)}"…"${text.slice(last + 1)}`;
}

function quotesValues(error: Error): boolean {
  if (error.name === 'SyntaxError') return true;
  const { code, severity, driverError } = error as Error & {
    code?: unknown;
    severity?: unknown;
    driverError?: unknown;
  };
  if (severity === undefined && driverError === undefined) return false;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !CLASSES_WITHOUT_VALUES.has(code.slice(0, 2));
}

/**
 * Describes an error by properties known to contain no secrets: class, message, code, frames and causes. Database
 * errors also carry the statement, its parameters and the rejected row, which can contain a session token or a password
 * hash. Errors of other libraries carry the request or the command.
 */
export function describeError(error: unknown, depth = 0): LoggedError {
  if (!isError(error)) return { type: typeof error, message: errorMessage(error) };
  const { code, cause, errors } = error as Error & { code?: unknown; errors?: unknown };
  const frames = framesOf(error.stack, error.message);
  return {
    type: error.constructor?.name || error.name,
    message: errorMessage(error),
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(frames !== '' && { stack: frames }),
    ...(cause != null && depth < MAX_CAUSES && { cause: describeError(cause, depth + 1) }),
    ...(Array.isArray(errors) &&
      depth < MAX_CAUSES &&
      errors.some(isError) && {
        errors: errors
          .filter(isError)
          .slice(0, MAX_ERRORS)
          .map((each) => describeError(each, depth + 1)),
      }),
  };
}

/** Returns the frames of a stack without the message above them, which can look like frames itself. */
export function framesOf(stack: string | undefined, message = ''): string {
  if (stack === undefined) return '';
  const start = message === '' ? -1 : stack.indexOf(message);
  return stack
    .slice(start === -1 ? 0 : start + message.length)
    .split('\n')
    .filter((line) => FRAME.test(line))
    .join('\n');
}

/** Returns a value for the log, with each error in it replaced by its description. */
export function loggable(value: unknown, depth = 0): unknown {
  if (isError(value)) return describeError(value);
  if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => loggable(item, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, loggable(item, depth + 1)]));
}
