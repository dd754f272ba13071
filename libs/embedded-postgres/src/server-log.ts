import type { Logger } from '#libs/platform';

export type PostgresLog = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

const LOG_LINE = /^([A-Z]+\d?): {1,2}(.*)$/;
const WARN_SEVERITIES = new Set(['WARNING', 'ERROR', 'FATAL', 'PANIC']);
/**
 * Errors that callers handle, so they aren't logged as warnings. For example, storing a visit a second time violates a
 * unique key.
 */
const EXPECTED_ERROR = /^duplicate key value violates unique constraint /;
const CONTINUATIONS = new Set(['DETAIL', 'HINT', 'CONTEXT', 'QUERY', 'STATEMENT', 'LOCATION', 'BACKTRACE']);

/**
 * Returns a function that forwards PostgreSQL's log lines. Warnings and errors are logged at `warn`, including their
 * detail lines. Other messages and unique violations are logged at `debug`.
 * @param isExpected While it returns true, every line is logged at `debug`. During a shutdown, each closed connection
 *   causes a FATAL error.
 */
export function createLineLogger(log: PostgresLog, isExpected: () => boolean): (line: string) => void {
  // Lines before the first message come from the dynamic loader and are always errors.
  let isWarning = true;
  return (line) => {
    const [, severity, text = line] = LOG_LINE.exec(line) ?? [];
    if (severity !== undefined && !CONTINUATIONS.has(severity))
      isWarning = WARN_SEVERITIES.has(severity) && !EXPECTED_ERROR.test(text);
    if (line.trim() === '') return;
    log[isWarning && !isExpected() ? 'warn' : 'debug']({ component: 'postgres', severity }, text);
  };
}
