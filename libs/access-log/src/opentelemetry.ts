import { toEntry, type Entry } from './formats/log-format.js';
import { toParsedLine } from './json-line.js';
import { toHeaders, toMilliseconds, toText } from './json-values.js';
import type { ParsedLine } from './log-line.js';

/** Key for a record's time. It contains spaces, so it can't conflict with an OpenTelemetry attribute. */
const TIME = 'time in milliseconds';
const REQUEST_HEADER = 'http.request.header.';

/**
 * Combines the attributes and body of an OTLP log record (JSON) into one object. A text body becomes `message`, and a map
 * is merged. Resource and scope attributes aren't included.
 */
export function logRecord(record: unknown): Entry {
  const { body, attributes, timeUnixNano, observedTimeUnixNano } = toEntry(record);
  const content = unwrapValue(toEntry(body));
  const time = [timeUnixNano, observedTimeUnixNano].find((each) => Number(each) > 0);
  return {
    ...(typeof content === 'string' ? { message: content } : toEntry(content)),
    ...toAttributes(attributes),
    // Numbers aren't precise enough for nanoseconds.
    [TIME]: time === undefined ? null : Math.round(Number(time) / 1e6),
  };
}

const list = (value: unknown): Entry[] => (Array.isArray(value) ? value.map((each: unknown) => toEntry(each)) : []);

const toAttributes = (attributes: unknown): Entry =>
  Object.fromEntries(list(attributes).map(({ key, value }) => [String(key), unwrapValue(toEntry(value))]));

/** Unwraps a typed value. Integers remain strings, as in OTLP JSON. */
function unwrapValue({ stringValue, intValue, doubleValue, boolValue, arrayValue, kvlistValue }: Entry): unknown {
  if (arrayValue !== undefined) return list(toEntry(arrayValue)['values']).map(unwrapValue);
  if (kvlistValue !== undefined) return toAttributes(toEntry(kvlistValue)['values']);
  return stringValue ?? intValue ?? doubleValue ?? boolValue;
}

/**
 * Parses a log record with HTTP attributes. Supports the current semantic conventions and the ones before 1.21
 * (opentelemetry.io/docs/specs/semconv/http/http-spans).
 *
 * @param record Result of {@link logRecord}.
 * @returns null if the record has no HTTP attributes. Its body may be a log line in that case.
 */
export function readLogRecord(record: Entry): ParsedLine | null {
  const first = (...names: string[]): unknown => names.map((name) => record[name]).find((value) => toText(value));
  const method = first('http.request.method', 'http.method');
  if (!(TIME in record) || method === undefined) return null;
  const headers = Object.entries(record).flatMap(([name, value]) =>
    // Conventions before 1.25 used `_` instead of `-`.
    name.startsWith(REQUEST_HEADER) ? [[name.slice(REQUEST_HEADER.length).replaceAll('_', '-'), value] as const] : [],
  );
  // Clients can forge this address, because it comes from X-Forwarded-For if the request has this header.
  const client = first('client.address', 'http.client_ip');
  const peer = first('network.peer.address', 'net.sock.peer.addr', 'net.peer.ip');
  const forwarded = first(`${REQUEST_HEADER}x-forwarded-for`, `${REQUEST_HEADER}x_forwarded_for`);
  return toParsedLine({
    time: record[TIME],
    client: peer ?? client,
    forwardedFor: forwarded ?? (peer === undefined || peer === client ? undefined : client),
    method,
    target: first('url.path', 'http.target', 'url.full', 'http.url'),
    query: record['url.query'],
    host:
      toHeaders(Object.fromEntries(headers))['host'] ??
      first('http.host', 'server.address', 'http.server_name', 'net.host.name'),
    status: first('http.response.status_code', 'http.status_code'),
    size: first('http.response.body.size', 'http.response_content_length'),
    milliseconds:
      toMilliseconds(record['http.server.request.duration'], 's') ??
      toMilliseconds(record['http.server.duration'], 'ms'),
    userAgent: first('user_agent.original', 'http.user_agent'),
    headers: Object.fromEntries(headers),
  });
}
