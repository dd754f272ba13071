import { parseCacheResult } from './cache-result.js';
import { toAddress, toHeaders, toIsoTime, toNumber, toText } from './json-values.js';
import { MAX_PATH_LENGTH } from './limits.js';
import type { LogLine, ParsedLine } from './log-line.js';
import { encodeUtf8 } from './quoted-field.js';
import { isTarget, MAX_METHOD_LENGTH, METHOD, readRequestLine, splitTarget } from './request-line.js';

/** Unvalidated request fields from a JSON object. */
interface JsonRequest {
  /** Any value that {@link toIsoTime} accepts. */
  time: unknown;
  /** Peer address, with or without a port. */
  client: unknown;
  method?: unknown;
  /** Path with or without a query, or a full URL. */
  target?: unknown;
  /** Ignored if the target contains a query. */
  query?: unknown;
  /** Complete request line. Used if it ends with a protocol version, or if the method or target is missing. */
  request?: unknown;
  /** Host with or without a port. */
  host?: unknown;
  status?: unknown;
  /** Response body size in bytes. */
  size?: unknown;
  /** Cache result, such as `HIT`. */
  cache?: unknown;
  milliseconds?: number | undefined;
  userAgent?: unknown;
  referer?: unknown;
  forwardedFor?: unknown;
  contentType?: unknown;
  /** Other response headers by lowercase name. */
  responseHeaders?: Record<string, string>;
  /** Any value that {@link toHeaders} accepts. */
  headers?: unknown;
  id?: unknown;
}

/** Converts a request to a log line. Returns a reason if a required field is missing or invalid. */
export function toParsedLine(request: JsonRequest): ParsedLine {
  const target = toTarget(request);
  if ('reason' in target) return target;
  const client = toAddress(request.client);
  if (client === undefined) return { reason: `no client address${quoteValue(request.client)}` };
  const time = toIsoTime(request.time);
  if (time === null) return { reason: `no time${quoteValue(request.time)}` };
  if (target.path.length > MAX_PATH_LENGTH) {
    return { reason: `the path is longer than ${MAX_PATH_LENGTH} characters` };
  }
  const line: LogLine = { client, time, method: target.method, path: target.path };
  const status = toNumber(request.status);
  // Servers log lower numbers if the client disconnected or the upstream never responded.
  if (status !== undefined && Number.isInteger(status) && status >= 100 && status <= 999) line.status = status;
  const size = toNumber(request.size);
  if (Number.isSafeInteger(size) && size! >= 0) line.size = size!;
  const cache = parseCacheResult(toText(request.cache) ?? '');
  if (cache !== null) line.cache = cache;
  const host = toText(request.host) ?? target.host;
  if (host !== undefined && host !== '_') line.host = host.replace(/:(?:80|443)$/, '');
  if (request.milliseconds !== undefined) line.durationInMilliseconds = request.milliseconds;
  addHeaders(line, request);
  const id = toText(request.id);
  if (id !== undefined) line.id = id;
  return { line };
}

function addHeaders(line: LogLine, request: JsonRequest): void {
  const headers = request.headers === undefined ? {} : toHeaders(request.headers);
  const userAgent = toText(request.userAgent) ?? headers['user-agent'];
  if (userAgent !== undefined) line.userAgent = userAgent;
  const referer = toText(request.referer) ?? headers['referer'];
  if (referer !== undefined) line.referer = referer;
  const forwardedFor = toText(request.forwardedFor)?.trim() ?? headers['x-forwarded-for'];
  if (forwardedFor !== undefined) line.forwardedFor = forwardedFor;
  if (Object.keys(headers).length > 0) line.headers = headers;
  const contentType = toText(request.contentType);
  const responseHeaders = {
    ...(contentType !== undefined && { 'content-type': contentType }),
    ...request.responseHeaders,
  };
  if (Object.keys(responseHeaders).length > 0) line.responseHeaders = responseHeaders;
}

type Target = { method: string; path: string; host?: string } | { reason: string };

function toTarget(request: JsonRequest): Target {
  const target = requestedTarget(request);
  if ('reason' in target) return target;
  const { method, path } = target;
  if (!isTarget(method, path)) return { reason: `no path${quoteValue(path)}` };
  const query = toText(request.query)?.replace(/^\?/, '');
  if (query === undefined || query === '' || path.includes('?')) return target;
  return { ...target, path: `${path}?${query}` };
}

function requestedTarget(request: JsonRequest): Target {
  const method = typeof request.method === 'string' ? toText(request.method) : undefined;
  const target = toText(request.target);
  const whole = toText(request.request);
  // Prefer the request line, because the server may have rewritten the separate path.
  if (method === undefined || target === undefined || (whole !== undefined && REQUEST_LINE.test(whole))) {
    return whole === undefined ? { reason: 'no method and path' } : readRequestLine(encodeUtf8(whole));
  }
  if (method.length > MAX_METHOD_LENGTH || !METHOD.test(method))
    return { reason: `no HTTP method${quoteValue(method)}` };
  return { method, ...splitTarget(target) };
}

const REQUEST_LINE = / HTTP\/\d(?:\.\d)?$/;

/** Maximum length of a value that is quoted in a reason, in characters. */
const MAX_QUOTED_CHARACTERS = 40;

function quoteValue(value: unknown): string {
  if (value === undefined || value === null || value === '') return '';
  const text = JSON.stringify(value);
  return `: ${text.length > MAX_QUOTED_CHARACTERS ? `${text.slice(0, MAX_QUOTED_CHARACTERS - 1)}…` : text}`;
}
