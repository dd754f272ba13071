import { toParsedLine } from '../json-line.js';
import { toMilliseconds } from '../json-values.js';
import type { ParsedLine } from '../log-line.js';
import { toEntry, type Entry, type JsonFormat } from './log-format.js';

/**
 * Cloud Logging entries with an `httpRequest`, as written by Google Cloud load balancers and Cloud Run
 * (cloud.google.com/logging/docs/reference/v2/rest/v2/LogEntry#HttpRequest).
 *
 * `responseSize` is ignored, because it includes the headers.
 */
export const googleLoadBalancer: JsonFormat = {
  kind: 'json',
  name: 'google-load-balancer',
  title: 'Google Cloud load balancer',
  verifiedBy: 'addresses',
  limits:
    'Headers are limited to user agent and referer. If the load balancer only logs a sample, set its sample rate to 1.',
  recognizes: ({ httpRequest }) => 'requestUrl' in toEntry(httpRequest),
  read,
};

function read({ httpRequest, timestamp, insertId }: Entry): ParsedLine {
  const { requestMethod, requestUrl, remoteIp, status, cacheHit, cacheLookup, latency, userAgent, referer } =
    toEntry(httpRequest);
  return toParsedLine({
    time: timestamp,
    client: remoteIp,
    method: requestMethod,
    target: requestUrl,
    status,
    // Entries about requests to a backend without a cache have no `cacheLookup`.
    cache: cacheHit === true ? 'hit' : cacheLookup === true ? 'miss' : undefined,
    milliseconds: toMilliseconds(latency, 's'),
    userAgent,
    referer,
    id: insertId,
  });
}
