import { errorMessage } from '#libs/platform';

export interface Finding {
  /** Checked item, such as `database`. */
  subject: string;
  status: 'ok' | 'warning' | 'fault';
  detail: string;
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

/** Returns an error's message, or its name if the message is empty. For an AggregateError, uses the first error. */
export function getErrorReason(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return errorMessage(first) || (first as Error).name;
}
