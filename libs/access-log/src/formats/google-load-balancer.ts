import { lineOf } from '../json-line.js';
import { millisecondsOf } from '../json-values.js';
import type { ParsedLine } from '../log-line.js';
import { members, type Entry, type JsonFormat } from './log-format.js';

/**
 * Cloud Logging entries with `httpRequest`, as written by Google's load balancers and Cloud Run
 * (cloud.google.com/logging/docs/reference/v2/rest/v2/LogEntry#HttpRequest).
 *
 * `responseSize` is ignored because it includes the headers.
 */
export const googleLoadBalancer: JsonFormat = {
  kind: 'json',
  name: 'google-load-balancer',
  title: 'Google Cloud load balancer',
  verifiedBy: 'addresses',
  limits: 'Only the headers user agent and referer. The load balancer might log only a sample: set its rate to 1.',
  recognizes: ({ httpRequest }) => 'requestUrl' in members(httpRequest),
  read,
};

function read({ httpRequest, timestamp, insertId }: Entry): ParsedLine {
  const { requestMethod, requestUrl, remoteIp, status, latency, userAgent, referer } = members(httpRequest);
  return lineOf({
    time: timestamp,
    client: remoteIp,
    method: requestMethod,
    target: requestUrl,
    status,
    milliseconds: millisecondsOf(latency, 's'),
    userAgent,
    referer,
    id: insertId,
  });
}
