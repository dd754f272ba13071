import { members, type Entry } from './formats/log-format.js';
import { lineOf } from './json-line.js';
import { headersOf, millisecondsOf, textOf } from './json-values.js';
import type { ParsedLine } from './log-line.js';

/** Key for the time of a record. It contains spaces, so it can't conflict with an OpenTelemetry attribute. */
const TIME = 'time in milliseconds';
const REQUEST_HEADER = 'http.request.header.';

/**
 * Returns the attributes and the body of an OTLP log record (JSON) in one object. A text body becomes `message`. A map
 * is merged. Attributes of resources and scopes are left out.
 */
export function logRecord(record: unknown): Entry {
  const { body, attributes, timeUnixNano, observedTimeUnixNano } = members(record);
  const content = valueOf(members(body));
  const time = [timeUnixNano, observedTimeUnixNano].find((each) => Number(each) > 0);
  return {
    ...(typeof content === 'string' ? { message: content } : members(content)),
    ...attributesOf(attributes),
    // Nanoseconds exceed the precision of a number.
    [TIME]: time === undefined ? null : Math.round(Number(time) / 1e6),
  };
}

const list = (value: unknown): Entry[] => (Array.isArray(value) ? value.map((each: unknown) => members(each)) : []);

const attributesOf = (attributes: unknown): Entry =>
  Object.fromEntries(list(attributes).map(({ key, value }) => [String(key), valueOf(members(value))]));

/** Unwraps a typed value. Integers are strings in OTLP JSON. */
function valueOf({ stringValue, intValue, doubleValue, boolValue, arrayValue, kvlistValue }: Entry): unknown {
  if (arrayValue !== undefined) return list(members(arrayValue)['values']).map(valueOf);
  if (kvlistValue !== undefined) return attributesOf(members(kvlistValue)['values']);
  return stringValue ?? intValue ?? doubleValue ?? boolValue;
}

/**
 * Reads a log record with HTTP attributes. Supports the current semantic conventions and those before 1.21
 * (opentelemetry.io/docs/specs/semconv/http/http-spans).
 *
 * @param record result of {@link logRecord}.
 * @returns null if the record has no HTTP attributes. Its body may be a log line.
 */
export function readLogRecord(record: Entry): ParsedLine | null {
  const first = (...names: string[]): unknown => names.map((name) => record[name]).find((value) => textOf(value));
  const method = first('http.request.method', 'http.method');
  if (!(TIME in record) || method === undefined) return null;
  const headers = Object.entries(record).flatMap(([name, value]) =>
    // Conventions before 1.25 used `_` instead of `-`.
    name.startsWith(REQUEST_HEADER) ? [[name.slice(REQUEST_HEADER.length).replaceAll('_', '-'), value] as const] : [],
  );
  // Clients can forge this address, because it's the first entry of X-Forwarded-For if the request has one.
  const client = first('client.address', 'http.client_ip');
  const peer = first('network.peer.address', 'net.sock.peer.addr', 'net.peer.ip');
  const forwarded = first(`${REQUEST_HEADER}x-forwarded-for`, `${REQUEST_HEADER}x_forwarded_for`);
  return lineOf({
    time: record[TIME],
    client: peer ?? client,
    forwardedFor: forwarded ?? (peer === undefined || peer === client ? undefined : client),
    method,
    target: first('url.path', 'http.target', 'url.full', 'http.url'),
    query: record['url.query'],
    host:
      headersOf(Object.fromEntries(headers))['host'] ??
      first('http.host', 'server.address', 'http.server_name', 'net.host.name'),
    status: first('http.response.status_code', 'http.status_code'),
    size: first('http.response.body.size', 'http.response_content_length'),
    milliseconds:
      millisecondsOf(record['http.server.request.duration'], 's') ??
      millisecondsOf(record['http.server.duration'], 'ms'),
    userAgent: first('user_agent.original', 'http.user_agent'),
    headers: Object.fromEntries(headers),
  });
}
