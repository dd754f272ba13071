import type { Logger } from '#libs/platform';

export type PostgresLog = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

const LINE = /^([A-Z]+\d?): {1,2}(.*)$/;
const LOUD = new Set(['WARNING', 'ERROR', 'FATAL', 'PANIC']);
/** Errors that callers expect. Repeated visits, for example, violate a unique key. */
const HANDLED = /^duplicate key value violates unique constraint /;
const CONTINUATIONS = new Set(['DETAIL', 'HINT', 'CONTEXT', 'QUERY', 'STATEMENT', 'LOCATION', 'BACKTRACE']);

/**
 * Returns a function that forwards PostgreSQL's log lines. Warnings and errors are logged as `warn`, together with
 * their detail lines, and everything else as `debug`. Violations of unique constraints are logged as `debug`, because
 * callers handle or log them.
 * @param isExpected While it returns true, everything is logged as `debug`. During a shutdown, every closed connection
 *   is a FATAL error.
 */
export function logLines(log: PostgresLog, isExpected: () => boolean): (line: string) => void {
  // Lines before the first message come from the dynamic loader and are always errors.
  let isLoud = true;
  return (line) => {
    const [, severity, text = line] = LINE.exec(line) ?? [];
    if (severity !== undefined && !CONTINUATIONS.has(severity)) isLoud = LOUD.has(severity) && !HANDLED.test(text);
    if (line.trim() === '') return;
    log[isLoud && !isExpected() ? 'warn' : 'debug']({ component: 'postgres', severity }, text);
  };
}
