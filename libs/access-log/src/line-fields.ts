import type { LogLine } from './log-line.js';

/** What a line can say beside its time, client, method and path, which all have; for people. */
export const LINE_FIELDS = {
  status: 'status',
  size: 'size',
  durationInMilliseconds: 'duration',
  host: 'host',
  userAgent: 'user agent',
  referer: 'referer',
  forwardedFor: 'X-Forwarded-For',
  headers: 'request headers',
  responseHeaders: 'response headers',
  id: 'id',
} as const satisfies Partial<Record<keyof LogLine, string>>;
export type LineField = keyof typeof LINE_FIELDS;

/** Whether a signature of Web Bot Auth can be checked of the line. */
export const hasSignature = ({ headers }: LogLine): boolean =>
  headers !== undefined && 'signature' in headers && 'signature-input' in headers;
