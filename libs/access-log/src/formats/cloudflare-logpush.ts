import { paymentResponseHeaders } from '../json-keys.js';
import { toParsedLine } from '../json-line.js';
import { toMilliseconds, toUnixMilliseconds } from '../json-values.js';
import type { ParsedLine } from '../log-line.js';
import type { Entry, JsonFormat } from './log-format.js';

/** Values of `ClientRequestSource` for requests that Cloudflare makes itself. */
const INTERNAL_SOURCES = /^(?:edgeWorker\w*|purge|alwaysOnline|healthcheck|imageResizing|sslDetector|earlyHintsCache)$/;

/**
 * Cloudflare Logpush dataset `http_requests`
 * (developers.cloudflare.com/logs/logpush/logpush-job/datasets/zone/http_requests). The Logpush job configures the
 * fields and the time format, which is nanoseconds, seconds or RFC 3339.
 */
export const cloudflareLogpush: JsonFormat = {
  kind: 'json',
  name: 'cloudflare-logpush',
  title: 'Cloudflare Logpush, HTTP requests',
  verifiedBy: 'addresses and signatures',
  limits:
    'Signatures require custom fields in the Logpush job: signature, signature-input and signature-agent. MCP calls require mcp-method, mcp-name and mcp-protocol-version. Payments require the payment headers. Other headers require custom fields, too. If times are in seconds, the duration is the time to first byte.',
  recognizes: (entry) => 'ClientRequestMethod' in entry && 'ClientIP' in entry,
  read,
};

function read(entry: Entry): ParsedLine {
  const parent = entry['ParentRayID'];
  if (typeof parent === 'string' && parent !== '' && parent !== '00') return { leftOut: 'requests made by Workers' };
  const source = entry['ClientRequestSource'];
  if (typeof source === 'string' && INTERNAL_SOURCES.test(source)) return { leftOut: 'requests made by Cloudflare' };
  return toParsedLine({
    time: entry['EdgeStartTimestamp'] ?? entry['EdgeEndTimestamp'],
    client: entry['ClientIP'],
    method: entry['ClientRequestMethod'],
    target: entry['ClientRequestURI'] ?? entry['ClientRequestPath'],
    host: entry['ClientRequestHost'],
    status: entry['EdgeResponseStatus'],
    size: entry['EdgeResponseBodyBytes'],
    cache: entry['CacheCacheStatus'] ?? entry['CacheStatus'],
    milliseconds: duration(entry),
    userAgent: entry['ClientRequestUserAgent'],
    referer: entry['ClientRequestReferer'],
    contentType: entry['EdgeResponseContentType'],
    headers: entry['RequestHeaders'],
    responseHeaders: paymentResponseHeaders(entry['ResponseHeaders']),
    id: entry['RayID'],
  });
}

/**
 * Returns the time from the first byte of the request to the last byte of the response, in milliseconds. Falls back to
 * the time to first byte if the timestamps aren't precise enough.
 */
function duration(entry: Entry): number | undefined {
  const { EdgeStartTimestamp: start, EdgeEndTimestamp: end, EdgeTimeToFirstByteMs: toFirstByte } = entry;
  if (isPrecise(start) && isPrecise(end)) {
    const elapsed = toUnixMilliseconds(end) - toUnixMilliseconds(start);
    if (!Number.isNaN(elapsed)) return toMilliseconds(elapsed, 'ms');
  }
  return toMilliseconds(toFirstByte, 'ms');
}

const isPrecise = (time: unknown): boolean =>
  typeof time === 'number' ? time > 1e12 : typeof time === 'string' && (time.includes('.') || /^\d{13,}$/.test(time));
