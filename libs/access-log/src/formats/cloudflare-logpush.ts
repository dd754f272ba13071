import { lineOf } from '../json-line.js';
import { isoTime, millisecondsOf } from '../json-values.js';
import type { ParsedLine } from '../log-line.js';
import type { Entry, JsonFormat } from './log-format.js';

/** Sources of requests that Cloudflare makes itself. */
const OWN_REQUESTS = /^(?:edgeWorker\w*|purge|alwaysOnline|healthcheck|imageResizing|sslDetector|earlyHintsCache)$/;

/**
 * Cloudflare Logpush dataset `http_requests`
 * (developers.cloudflare.com/logs/logpush/logpush-job/datasets/zone/http_requests). The job determines the fields and
 * the time format: nanoseconds, seconds or RFC 3339.
 */
export const cloudflareLogpush: JsonFormat = {
  kind: 'json',
  name: 'cloudflare-logpush',
  title: 'Cloudflare Logpush, HTTP requests',
  verifiedBy: 'addresses and signatures',
  limits:
    'Signatures, and other headers, only as custom fields of the job: signature, signature-input and signature-agent. If times are whole seconds, the duration is the time to first byte.',
  recognizes: (entry) => 'ClientRequestMethod' in entry && 'ClientIP' in entry,
  read,
};

function read(entry: Entry): ParsedLine {
  const parent = entry['ParentRayID'];
  if (typeof parent === 'string' && parent !== '' && parent !== '00') return { leftOut: 'a request of a Worker' };
  const source = entry['ClientRequestSource'];
  if (typeof source === 'string' && OWN_REQUESTS.test(source)) return { leftOut: 'a request of Cloudflare itself' };
  return lineOf({
    time: entry['EdgeStartTimestamp'] ?? entry['EdgeEndTimestamp'],
    client: entry['ClientIP'],
    method: entry['ClientRequestMethod'],
    target: entry['ClientRequestURI'] ?? entry['ClientRequestPath'],
    host: entry['ClientRequestHost'],
    status: entry['EdgeResponseStatus'],
    size: entry['EdgeResponseBodyBytes'],
    milliseconds: duration(entry),
    userAgent: entry['ClientRequestUserAgent'],
    referer: entry['ClientRequestReferer'],
    contentType: entry['EdgeResponseContentType'],
    headers: entry['RequestHeaders'],
    id: entry['RayID'],
  });
}

/**
 * Returns the time from the first byte of the request to the last byte of the response. Falls back to the time to first
 * byte if timestamps aren't precise enough.
 */
function duration(entry: Entry): number | undefined {
  const { EdgeStartTimestamp: start, EdgeEndTimestamp: end, EdgeTimeToFirstByteMs: toFirstByte } = entry;
  if (isExact(start) && isExact(end)) {
    const [from, to] = [isoTime(start), isoTime(end)];
    if (from !== null && to !== null) return millisecondsOf(Date.parse(to) - Date.parse(from), 'ms');
  }
  return millisecondsOf(toFirstByte, 'ms');
}

const isExact = (time: unknown): boolean =>
  typeof time === 'number' ? time > 1e12 : typeof time === 'string' && (time.includes('.') || /^\d{13,}$/.test(time));
