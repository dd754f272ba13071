import { types } from 'node:util';

/** Error description that is safe to log. See {@link describeError} for omitted properties. */
interface LoggedError {
  /** Class name, such as "QueryFailedError". */
  type: string;
  message: string;
  /** SQLSTATE or Node.js error code, such as "ECONNREFUSED". */
  code?: string | number;
  /** Stack frames, without the message that V8 puts before them. */
  stack?: string;
  cause?: LoggedError;
  errors?: LoggedError[];
}

const MAX_CAUSES = 5;
const MAX_ERRORS = 5;
/** Maximum depth to which logged objects are searched for errors. */
const MAX_DEPTH = 6;

/**
 * SQLSTATE classes whose messages may name the schema, role or server, but never quote a value. Data exceptions (22),
 * for example, quote the input. See https://www.postgresql.org/docs/current/errcodes-appendix.html.
 */
const VALUE_FREE_CLASSES = new Set(['08', '23', '25', '28', '3D', '3F', '40', '42', '53', '55', '57', '58']);
/** PostgreSQL's quotation marks depend on the message language. */
const OPENING_QUOTE = /["“”„«»「]/;
const CLOSING_QUOTES = new Set('"“”„«»」');
const STACK_FRAME = /^ {4}at .*[\d)>]$/;

const isError = (value: unknown): value is Error => types.isNativeError(value) || value instanceof Error;

/**
 * Returns an error's message without quoted values. PostgreSQL data exceptions quote a parameter, and a failed
 * `JSON.parse` quotes part of its input.
 */
export function errorMessage(error: unknown): string {
  if (!isError(error)) return typeof error === 'string' ? error : `a thrown ${typeof error}`;
  let message = redactMessage(error);
  // Messages often repeat a cause's message, so redact it there as well.
  let cause = error.cause;
  for (let depth = 0; isError(cause) && depth < MAX_CAUSES; depth += 1) {
    const redacted = redactMessage(cause);
    if (redacted !== cause.message) message = message.replaceAll(cause.message, () => redacted);
    cause = cause.cause;
  }
  return message;
}

const redactMessage = (error: Error): string => (quotesValues(error) ? redactQuoted(error.message) : error.message);

/** Removes everything between the first and last quotation marks because a value may itself contain quotation marks. */
function redactQuoted(text: string): string {
  const first = text.search(OPENING_QUOTE);
  let last = text.length - 1;
  while (last > first && !CLOSING_QUOTES.has(text[last]!)) last--;
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
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !VALUE_FREE_CLASSES.has(code.slice(0, 2));
}

/**
 * Describes an error using only properties that contain no secrets: class, message, code, frames and causes.
 *
 * Database errors also contain the statement, its parameters and the rejected row, which may include a session token or
 * password hash. Errors from other libraries contain the request or command.
 */
export function describeError(error: unknown, depth = 0): LoggedError {
  if (!isError(error)) return { type: typeof error, message: errorMessage(error) };
  const { code, cause, errors } = error as Error & { code?: unknown; errors?: unknown };
  const frames = extractFrames(error.stack, error.message);
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
          .map((nestedError) => describeError(nestedError, depth + 1)),
      }),
  };
}

/** Returns the stack frames without the preceding message, which could itself look like frames. */
export function extractFrames(stack: string | undefined, message = ''): string {
  if (stack === undefined) return '';
  const start = message === '' ? -1 : stack.indexOf(message);
  return stack
    .slice(start === -1 ? 0 : start + message.length)
    .split('\n')
    .filter((line) => STACK_FRAME.test(line))
    .join('\n');
}

/** Returns a copy of a value in which each error is replaced by its description. */
export function toLoggable(value: unknown, depth = 0): unknown {
  if (isError(value)) return describeError(value);
  if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => toLoggable(item, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, toLoggable(item, depth + 1)]));
}
