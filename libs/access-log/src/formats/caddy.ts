import { MAX_PATH_LENGTH } from '../limits.js';
import type { LogLine, ParsedLine } from '../log-line.js';
import { members, type Entry, type JsonFormat } from './log-format.js';

/**
 * Caddy's access log, of which only what it says of a request is read
 * (caddyserver.com/docs/caddyfile/directives/log). The headers are all there, signatures included; Caddy leaves out those
 * with credentials.
 */
export const caddy: JsonFormat = {
  kind: 'json',
  name: 'caddy',
  title: 'Caddy, JSON',
  verifiedBy: 'addresses and signatures',
  limits: '',
  recognizes: ({ request, ts }) => ts !== undefined && 'uri' in members(request),
  read,
};

function read({ request, ts, status, size }: Entry): ParsedLine {
  const { remote_ip: client, method, uri, host, headers } = members(request);
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

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Seconds since the epoch, as Caddy writes them by default, or a text that says its zone. */
function isoTime(time: unknown): string | null {
  const date = new Date(typeof time === 'number' ? time * 1_000 : typeof time === 'string' ? time : NaN);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** Each with its values in one, by their names in lower case. */
function headersOf(headers: unknown): Record<string, string> {
  const entries = Object.entries(members(headers)).flatMap(([name, values]) => {
    const texts = [values].flat().filter((value): value is string => typeof value === 'string');
    return texts.length === 0 ? [] : [[name.toLowerCase(), texts.join(', ')] as const];
  });
  return Object.fromEntries(entries);
}
