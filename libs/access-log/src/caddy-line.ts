import { MAX_PATH_LENGTH } from './limits.js';
import type { LogLine, ParsedLine } from './log-line.js';
import { decodeBytes } from './quoted-field.js';

/**
 * Parses a line of Caddy's access log: JSON, of which only what it says of a request is read
 * (caddyserver.com/docs/caddyfile/directives/log). The headers are all there, signatures included; Caddy leaves out those
 * with credentials.
 *
 * @param text the line's bytes as latin1.
 */
export function parseCaddyLine(text: string): ParsedLine {
  let entry: unknown;
  try {
    entry = JSON.parse(decodeBytes(text));
  } catch {
    return { reason: 'not a whole JSON object' };
  }
  const { request, ts, status, size } = fields(entry);
  const { remote_ip: client, method, uri, host, headers } = fields(request);
  const time = isoTime(ts);
  if (typeof client !== 'string' || typeof method !== 'string' || typeof uri !== 'string') {
    return { reason: 'not an entry of Caddy’s access log: no request' };
  }
  if (time === null) return { reason: 'no time' };
  if (uri.length > MAX_PATH_LENGTH) return { reason: `the path is longer than ${MAX_PATH_LENGTH} characters` };
  const line: LogLine = { client, time, method, path: uri, headers: headersOf(headers) };
  if (typeof host === 'string' && host !== '') line.host = host.replace(/:(?:80|443)$/, '');
  if (isCount(status) && status > 0) line.status = status;
  if (isCount(size)) line.size = size;
  const userAgent = line.headers!['user-agent'];
  if (userAgent !== undefined) line.userAgent = userAgent;
  return { line };
}

const fields = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Seconds since the epoch, as Caddy writes them by default, or a text that says its zone. */
function isoTime(time: unknown): string | null {
  const date = new Date(typeof time === 'number' ? time * 1_000 : typeof time === 'string' ? time : NaN);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** Each with its values in one, by their names in lower case. */
function headersOf(headers: unknown): Record<string, string> {
  const entries = Object.entries(fields(headers)).flatMap(([name, values]) => {
    const texts = [values].flat().filter((value): value is string => typeof value === 'string');
    return texts.length === 0 ? [] : [[name.toLowerCase(), texts.join(', ')] as const];
  });
  return Object.fromEntries(entries);
}
