import { toEntry, type Entry } from './formats/log-format.js';
import { paymentResponseHeaders } from './json-keys.js';
import { toParsedLine } from './json-line.js';
import { toHeaders, toMilliseconds, toNumber, toText } from './json-values.js';
import type { McpFields, ParsedLine } from './log-line.js';

/** Key for a record's time. It contains spaces, so it can't conflict with an OpenTelemetry attribute. */
const TIME = 'time in milliseconds';
/** Key for a span in the entry that {@link spanRecord} returns. */
const SPAN = 'span without attributes';
const REQUEST_HEADER = 'http.request.header.';
const RESPONSE_HEADER = 'http.response.header.';

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

/** Combines the attributes and times of an OTLP span (JSON) into one object. */
export function spanRecord(record: unknown): Entry {
  const { attributes, ...span } = toEntry(record);
  return {
    ...toAttributes(attributes),
    [TIME]: Math.round(Number(span['startTimeUnixNano']) / 1e6),
    [SPAN]: span,
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
 * @param record Result of {@link logRecord} or {@link spanRecord}.
 * @returns null if a log record has no HTTP attributes. Its body may be a log line in that case.
 */
export const readLogRecord = (record: Entry): ParsedLine | null =>
  SPAN in record ? readSpan(record, toEntry(record[SPAN])) : readHttpAttributes(record);

/** `SERVER` in OTLP JSON, which allows numbers and names. */
const SERVER_KINDS: ReadonlySet<unknown> = new Set([2, '2', 'SPAN_KIND_SERVER']);

/**
 * Parses a span of an MCP server (opentelemetry.io/docs/specs/semconv/gen-ai/mcp). Other spans are left out, because a
 * request has several of them.
 */
function readSpan(record: Entry, { kind, traceId, spanId, startTimeUnixNano, endTimeUnixNano }: Entry): ParsedLine {
  const method = toText(record['mcp.method.name']);
  if (method === undefined || !SERVER_KINDS.has(kind)) return { leftOut: "spans that aren't from an MCP server" };
  if (record['network.transport'] === 'pipe') return { leftOut: 'MCP calls over stdio' };
  const parsed = readHttpAttributes(record, { method: 'POST', path: '/mcp' });
  if (parsed === null || !('line' in parsed)) return parsed ?? { reason: 'no time' };
  const milliseconds = toMilliseconds(Number(endTimeUnixNano) - Number(startTimeUnixNano), 'ns');
  return {
    line: {
      ...parsed.line,
      ...(milliseconds !== undefined && { durationInMilliseconds: milliseconds }),
      ...(toText(spanId) !== undefined && { id: `${String(traceId)} ${String(spanId)}` }),
      mcp: getMcpFields(method, record),
    },
  };
}

function getMcpFields(method: string, record: Entry): McpFields {
  const name = ['gen_ai.tool.name', 'gen_ai.prompt.name', 'mcp.resource.uri']
    .map((key) => toText(record[key]))
    .find(Boolean);
  const version = toText(record['mcp.protocol.version']);
  // JSON-RPC error codes are negative. The attributes are strings.
  const code = [record['rpc.response.status_code'], record['error.type']].map(toNumber).find((number) => number! < 0);
  return {
    mcp_request_method: method,
    ...(name !== undefined && { mcp_request_tool_name: name }),
    ...(version !== undefined && { mcp_request_protocol_version: version }),
    ...(record['error.type'] === 'tool_error' && { mcp_response_result_is_error: true }),
    ...(code !== undefined && { mcp_response_error_code: code }),
  };
}

/** Returns the headers whose attributes start with a prefix. Conventions before 1.25 used `_` instead of `-`. */
const headersOf = (record: Entry, start: string): Entry =>
  Object.fromEntries(
    Object.entries(record)
      .filter(([name]) => name.startsWith(start))
      .map(([name, value]) => [name.slice(start.length).replaceAll('_', '-'), value]),
  );

/** @param defaults Method and path if the record doesn't contain them. */
function readHttpAttributes(record: Entry, defaults: { method?: string; path?: string } = {}): ParsedLine | null {
  const first = (...names: string[]): unknown => names.map((name) => record[name]).find((value) => toText(value));
  const method = first('http.request.method', 'http.method') ?? defaults.method;
  if (!(TIME in record) || method === undefined) return null;
  const headers = headersOf(record, REQUEST_HEADER);
  // Clients can forge this address, because it comes from X-Forwarded-For if the request has this header.
  const client = first('client.address', 'http.client_ip');
  const peer = first('network.peer.address', 'net.sock.peer.addr', 'net.peer.ip');
  const forwarded = first(`${REQUEST_HEADER}x-forwarded-for`, `${REQUEST_HEADER}x_forwarded_for`);
  return toParsedLine({
    time: record[TIME],
    client: peer ?? client,
    forwardedFor: forwarded ?? (peer === undefined || peer === client ? undefined : client),
    method,
    target: first('url.path', 'http.target', 'url.full', 'http.url') ?? defaults.path,
    query: record['url.query'],
    host: toHeaders(headers)['host'] ?? first('http.host', 'server.address', 'http.server_name', 'net.host.name'),
    status: first('http.response.status_code', 'http.status_code'),
    size: first('http.response.body.size', 'http.response_content_length'),
    milliseconds:
      toMilliseconds(record['http.server.request.duration'], 's') ??
      toMilliseconds(record['http.server.duration'], 'ms'),
    userAgent: first('user_agent.original', 'http.user_agent'),
    headers,
    responseHeaders: paymentResponseHeaders(headersOf(record, RESPONSE_HEADER)),
  });
}
