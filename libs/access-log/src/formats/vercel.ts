import { lineOf } from '../json-line.js';
import type { ParsedLine } from '../log-line.js';
import { members, type Entry, type JsonFormat } from './log-format.js';

/**
 * Vercel log drains: vercel.com/docs/drains/reference/logs
 *
 * Entries with `proxy` are requests. All others are output of functions and builds. A request can have several entries
 * with the same `requestId`.
 */
export const vercel: JsonFormat = {
  kind: 'json',
  name: 'vercel',
  title: 'Vercel, log drain',
  verifiedBy: 'addresses',
  limits:
    'No durations. Only the headers user agent and referer. Build output, previews and background revalidations are left out. In a file, a request counts once for each line that it logs.',
  recognizes: (entry) => 'deploymentId' in entry && 'projectId' in entry && 'source' in entry,
  read,
};

function read({ proxy, environment, id, requestId, timestamp, host }: Entry): ParsedLine {
  const request = members(proxy);
  if (request !== proxy) return { leftOut: 'output of a function or a build, not a request' };
  if (environment === 'preview') return { leftOut: 'a request of a preview' };
  if (request['statusCode'] === -1) return { leftOut: 'a revalidation in the background' };
  return lineOf({
    time: request['timestamp'] ?? timestamp,
    client: request['clientIp'],
    method: request['method'],
    target: request['path'],
    host: request['host'] ?? host,
    status: request['statusCode'],
    size: request['responseByteSize'],
    userAgent: [request['userAgent']].flat().join(', '),
    referer: request['referer'],
    id: requestId ?? request['vercelId'] ?? id,
  });
}
