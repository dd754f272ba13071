import { types } from 'node:util';

/** What a log line says of an error. Everything else that an error carries stays out: see {@link describeError}. */
interface LoggedError {
  /** The error's class, e.g. "QueryFailedError". */
  type: string;
  message: string;
  /** SQLSTATE, or Node's, e.g. "ECONNREFUSED". */
  code?: string | number;
  /** The frames alone: V8's text starts with the message. */
  stack?: string;
  cause?: LoggedError;
  /** Of an `AggregateError`. */
  errors?: LoggedError[];
}

const MAX_CAUSES = 5;
const MAX_ERRORS = 5;
/** Levels of a logged object in which errors are looked for. */
const MAX_DEPTH = 6;

/**
 * SQLSTATE classes whose messages name the schema, the role or the server but never a value:
 * https://www.postgresql.org/docs/current/errcodes-appendix.html. A data exception (22) quotes what was sent.
 */
const CLASSES_WITHOUT_VALUES = new Set(['08', '23', '25', '28', '3D', '3F', '40', '42', '53', '55', '57', '58']);
/** PostgreSQL's quotation marks differ by language. */
const OPENING = /["“”„«»「]/;
const CLOSING = new Set('"“”„«»」');
const FRAME = /^ {4}at .*[\d)>]$/;

const isError = (value: unknown): value is Error => types.isNativeError(value) || value instanceof Error;

/**
 * Returns an error's message without the values that it quotes: a data exception of PostgreSQL shows the parameter, a
 * failed `JSON.parse` a piece of the text.
 */
export function errorMessage(error: unknown): string {
  if (!isError(error)) return typeof error === 'string' ? error : `a thrown ${typeof error}`;
  let message = withoutValues(error);
  // A message often repeats one of its causes'.
  let cause = error.cause;
  for (let depth = 0; isError(cause) && depth < MAX_CAUSES; depth += 1) {
    const safe = withoutValues(cause);
    if (safe !== cause.message) message = message.replaceAll(cause.message, () => safe);
    cause = cause.cause;
  }
  return message;
}

const withoutValues = (error: Error): string => (quotesValues(error) ? withoutQuoted(error.message) : error.message);

/** Without what is from the first quotation mark to the last, as a value may hold some itself. */
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
 * Describes an error by what is known to hold nothing secret: its class, message, code, frames and causes. The other
 * properties of an error of the database are the statement, its parameters and the row that was refused, and those may
 * be a session's token or a password's hash; errors of other libraries carry the request or the command.
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

/** Returns the frames of a stack, without the message above them, which may itself look like frames. */
export function framesOf(stack: string | undefined, message = ''): string {
  if (stack === undefined) return '';
  const start = message === '' ? -1 : stack.indexOf(message);
  return stack
    .slice(start === -1 ? 0 : start + message.length)
    .split('\n')
    .filter((line) => FRAME.test(line))
    .join('\n');
}

/** Returns what may be logged of a value: the same, with each error in it described. */
export function loggable(value: unknown, depth = 0): unknown {
  if (isError(value)) return describeError(value);
  if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => loggable(item, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, loggable(item, depth + 1)]));
}
