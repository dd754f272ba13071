import { addressOf, headersOf, isoTime, numberOf, textOf } from './json-values.js';
import { MAX_PATH_LENGTH } from './limits.js';
import type { LogLine, ParsedLine } from './log-line.js';
import { utf8Bytes } from './quoted-field.js';
import { isTarget, MAX_METHOD_LENGTH, METHOD, readRequestLine, splitTarget } from './request-line.js';

/** Request fields of a JSON object, not validated yet. */
interface JsonRequest {
  /** Any value that {@link isoTime} accepts. */
  time: unknown;
  /** Address of the connection's peer, with or without its port. */
  client: unknown;
  method?: unknown;
  /** Path with or without the query, or full URL. */
  target?: unknown;
  /** Ignored if the target contains a query. */
  query?: unknown;
  /** Full request line. Used if it ends with a protocol version, or if the method or target is missing. */
  request?: unknown;
  /** With or without its port. */
  host?: unknown;
  status?: unknown;
  /** Size of the response body in bytes. */
  size?: unknown;
  milliseconds?: number | undefined;
  userAgent?: unknown;
  referer?: unknown;
  forwardedFor?: unknown;
  contentType?: unknown;
  /** Any value that {@link headersOf} accepts. */
  headers?: unknown;
  id?: unknown;
}

/** Returns the log line for a request, or the reason if a required field is missing or invalid. */
export function lineOf(request: JsonRequest): ParsedLine {
  const target = targetOf(request);
  if ('reason' in target) return target;
  const client = addressOf(request.client);
  if (client === undefined) return { reason: `no client address${shown(request.client)}` };
  const time = isoTime(request.time);
  if (time === null) return { reason: `no time${shown(request.time)}` };
  if (target.path.length > MAX_PATH_LENGTH) {
    return { reason: `the path is longer than ${MAX_PATH_LENGTH} characters` };
  }
  const line: LogLine = { client, time, method: target.method, path: target.path };
  const status = numberOf(request.status);
  // Lower numbers mean that the client disconnected or the server never responded.
  if (status !== undefined && Number.isInteger(status) && status >= 100 && status <= 999) line.status = status;
  const size = numberOf(request.size);
  if (Number.isSafeInteger(size) && size! >= 0) line.size = size!;
  const host = textOf(request.host) ?? target.host;
  if (host !== undefined && host !== '_') line.host = host.replace(/:(?:80|443)$/, '');
  if (request.milliseconds !== undefined) line.durationInMilliseconds = request.milliseconds;
  addHeaders(line, request);
  const id = textOf(request.id);
  if (id !== undefined) line.id = id;
  return { line };
}

function addHeaders(line: LogLine, request: JsonRequest): void {
  const headers = request.headers === undefined ? {} : headersOf(request.headers);
  const userAgent = textOf(request.userAgent) ?? headers['user-agent'];
  if (userAgent !== undefined) line.userAgent = userAgent;
  const referer = textOf(request.referer) ?? headers['referer'];
  if (referer !== undefined) line.referer = referer;
  const forwardedFor = textOf(request.forwardedFor)?.trim() ?? headers['x-forwarded-for'];
  if (forwardedFor !== undefined) line.forwardedFor = forwardedFor;
  if (Object.keys(headers).length > 0) line.headers = headers;
  const contentType = textOf(request.contentType);
  if (contentType !== undefined) line.responseHeaders = { 'content-type': contentType };
}

type Target = { method: string; path: string; host?: string } | { reason: string };

function targetOf(request: JsonRequest): Target {
  const target = requestedTarget(request);
  if ('reason' in target) return target;
  const { method, path } = target;
  if (!isTarget(method, path)) return { reason: `no path${shown(path)}` };
  const query = textOf(request.query)?.replace(/^\?/, '');
  if (query === undefined || query === '' || path.includes('?')) return target;
  return { ...target, path: `${path}?${query}` };
}

function requestedTarget(request: JsonRequest): Target {
  const method = typeof request.method === 'string' ? textOf(request.method) : undefined;
  const target = textOf(request.target);
  const whole = textOf(request.request);
  // Prefer the request line, because the server may have rewritten the path.
  if (method === undefined || target === undefined || (whole !== undefined && REQUEST_LINE.test(whole))) {
    return whole === undefined ? { reason: 'no method and path' } : readRequestLine(utf8Bytes(whole));
  }
  if (method.length > MAX_METHOD_LENGTH || !METHOD.test(method)) return { reason: `no HTTP method${shown(method)}` };
  return { method, ...splitTarget(target) };
}

const REQUEST_LINE = / HTTP\/\d(?:\.\d)?$/;

/** Maximum length of a value in a reason. */
const MAX_SHOWN = 40;

function shown(value: unknown): string {
  if (value === undefined || value === null || value === '') return '';
  const text = JSON.stringify(value);
  return `: ${text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text}`;
}
