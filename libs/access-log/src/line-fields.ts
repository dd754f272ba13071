import type { LogLine } from './log-line.js';

/** Display names for the optional fields of a line. */
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

/** Returns true if the line contains the headers that are required to verify a Web Bot Auth signature. */
export const hasSignature = ({ headers }: LogLine): boolean =>
  headers !== undefined && 'signature' in headers && 'signature-input' in headers;
