import type { LogLine } from './log-line.js';

/** Display names of a line's optional fields. */
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

/** Returns true if the line has the headers to verify a Web Bot Auth signature. */
export const hasSignature = ({ headers }: LogLine): boolean =>
  headers !== undefined && 'signature' in headers && 'signature-input' in headers;
