import { errorMessage } from '#libs/platform';

/** What a look at one thing brought. */
export interface Finding {
  /** What was looked at, e.g. "database". */
  subject: string;
  status: 'ok' | 'warning' | 'fault';
  /** What was found, in a sentence or less. */
  detail: string;
  /** What to do about it. */
  advice?: string;
}

export const ok = (subject: string, detail: string): Finding => ({ subject, status: 'ok', detail });

export const warning = (subject: string, detail: string, advice: string): Finding => ({
  subject,
  status: 'warning',
  detail,
  advice,
});

export const fault = (subject: string, detail: string, advice: string): Finding => ({
  subject,
  status: 'fault',
  detail,
  advice,
});

/** The first of several addresses' errors, in the words of the error. */
export function reasonOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return errorMessage(first) || (first as Error).name;
}
