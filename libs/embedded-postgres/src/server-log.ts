import type { Logger } from '#libs/platform';

export type PostgresLog = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

const LINE = /^([A-Z]+\d?): {1,2}(.*)$/;
const LOUD = new Set(['WARNING', 'ERROR', 'FATAL', 'PANIC']);
/** Errors that callers expect and handle: a repeated visit is found by its key. */
const HANDLED = /^duplicate key value violates unique constraint /;
const CONTINUATIONS = new Set(['DETAIL', 'HINT', 'CONTEXT', 'QUERY', 'STATEMENT', 'LOCATION', 'BACKTRACE']);

/**
 * Hands PostgreSQL's lines to the log: warnings and worse as warnings, with the lines that belong to them.
 * Violated unique constraints go to `debug`: each caller gets the error, and handles or logs it.
 * @param isExpected While true, all go to `debug`: at a shutdown every connection that is ended is "fatal".
 */
export function logLines(log: PostgresLog, isExpected: () => boolean): (line: string) => void {
  // Before the first message the loader of the system may speak, which is never good.
  let isLoud = true;
  return (line) => {
    const [, severity, text = line] = LINE.exec(line) ?? [];
    if (severity !== undefined && !CONTINUATIONS.has(severity)) isLoud = LOUD.has(severity) && !HANDLED.test(text);
    if (line.trim() === '') return;
    log[isLoud && !isExpected() ? 'warn' : 'debug']({ component: 'postgres', severity }, text);
  };
}
