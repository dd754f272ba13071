import { toParsedLine } from '../json-line.js';
import type { ParsedLine } from '../log-line.js';
import { toEntry, type Entry, type JsonFormat } from './log-format.js';

/**
 * Vercel log drains (vercel.com/docs/drains/reference/logs).
 *
 * Entries with `proxy` are requests. All others are function or build output. A request can have several entries with
 * the same `requestId`.
 */
export const vercel: JsonFormat = {
  kind: 'json',
  name: 'vercel',
  title: 'Vercel, log drain',
  verifiedBy: 'addresses',
  limits:
    'No durations. Headers are limited to user agent and referer. Build output, previews and background revalidations are left out. In a file, a request counts once for every line it logs.',
  recognizes: (entry) => 'deploymentId' in entry && 'projectId' in entry && 'source' in entry,
  read,
};

function read({ proxy, environment, id, requestId, timestamp, host }: Entry): ParsedLine {
  const request = toEntry(proxy);
  if (request !== proxy) return { leftOut: 'function and build output' };
  if (environment === 'preview') return { leftOut: 'preview requests' };
  if (request['statusCode'] === -1) return { leftOut: 'background revalidations' };
  return toParsedLine({
    time: request['timestamp'] ?? timestamp,
    client: request['clientIp'],
    method: request['method'],
    target: request['path'],
    host: request['host'] ?? host,
    status: request['statusCode'],
    size: request['responseByteSize'],
    cache: request['vercelCache'],
    userAgent: [request['userAgent']].flat().join(', '),
    referer: request['referer'],
    id: requestId ?? request['vercelId'] ?? id,
  });
}
