import { members, type Entry } from './formats/log-format.js';
import { lineOf } from './json-line.js';
import { headersOf, millisecondsOf, textOf } from './json-values.js';
import type { ParsedLine } from './log-line.js';

/** Member of a record's time among its attributes; none of OpenTelemetry has blanks. */
const TIME = 'time in milliseconds';
const REQUEST_HEADER = 'http.request.header.';

/**
 * Returns a log record of an export request (OTLP, as JSON) as its attributes next to its body: `message`, or the members of a
 * map. Attributes of resources and scopes are left out.
 */
export function logRecord(record: unknown): Entry {
  const { body, attributes, timeUnixNano, observedTimeUnixNano } = members(record);
  const content = valueOf(members(body));
  const time = [timeUnixNano, observedTimeUnixNano].find((each) => Number(each) > 0);
  return {
    ...(typeof content === 'string' ? { message: content } : members(content)),
    ...attributesOf(attributes),
    // In milliseconds: nanoseconds are more than a number holds.
    [TIME]: time === undefined ? null : Math.round(Number(time) / 1e6),
  };
}

const list = (value: unknown): Entry[] => (Array.isArray(value) ? value.map((each: unknown) => members(each)) : []);

const attributesOf = (attributes: unknown): Entry =>
  Object.fromEntries(list(attributes).map(({ key, value }) => [String(key), valueOf(members(value))]));

/** A value of any type; integers are texts in JSON. */
function valueOf({ stringValue, intValue, doubleValue, boolValue, arrayValue, kvlistValue }: Entry): unknown {
  if (arrayValue !== undefined) return list(members(arrayValue)['values']).map(valueOf);
  if (kvlistValue !== undefined) return attributesOf(members(kvlistValue)['values']);
  return stringValue ?? intValue ?? doubleValue ?? boolValue;
}

/**
 * Reads a log record by the semantic conventions of HTTP, those of today and those before 1.21
 * (opentelemetry.io/docs/specs/semconv/http/http-spans).
 *
 * @param record as {@link logRecord} returns it.
 * @returns null for a record without attributes of HTTP, whose body may be a line of a log.
 */
export function readLogRecord(record: Entry): ParsedLine | null {
  const first = (...names: string[]): unknown => names.map((name) => record[name]).find((value) => textOf(value));
  const method = first('http.request.method', 'http.method');
  if (!(TIME in record) || method === undefined) return null;
  const headers = Object.entries(record).flatMap(([name, value]) =>
    // The conventions before 1.25 wrote `_` for `-`.
    name.startsWith(REQUEST_HEADER) ? [[name.slice(REQUEST_HEADER.length).replaceAll('_', '-'), value] as const] : [],
  );
  // The client's is the first entry of X-Forwarded-For where a request has one, so anybody can forge it.
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
