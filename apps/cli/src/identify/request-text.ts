import type { HeaderValue } from '#libs/contracts';
import { curlFromText } from './curl-command.js';
import { addHeader, addUrl, parseHeaderLine, usageError, type RequestInput } from './request-input.js';

const REQUEST_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) (\S+) HTTP\/\d(?:\.\d)?$/;

/**
 * Parses a request in any form that people paste: a raw request head, `curl -v` output, header lines, a JSON object of
 * headers, a visit or identification request as JSON, or a curl command.
 */
export function parseRequestText(text: string): RequestInput {
  const content = text.replace(/^\ufeff/, '').trimStart();
  if (content.startsWith('{')) return fromJson(content);
  if (/^(?:\$ )?curl\s/.test(content)) return curlFromText(content);
  return fromHead(content);
}

function fromHead(content: string): RequestInput {
  const request: RequestInput = { headers: {} };
  const lines = content.split(/\r?\n/);
  const sent = lines.filter((line) => /^> ./.test(line)).map((line) => line.slice(2));
  for (const line of unfolded(sent.length > 0 ? sent : lines)) {
    if (line.trim() === '') break;
    const start = REQUEST_LINE.exec(line);
    const header = start === null ? parseHeaderLine(line) : null;
    if (start !== null && request.method === undefined && Object.keys(request.headers).length === 0) {
      request.method = start[1]!;
      request.path = start[2]!;
    } else if (header === null) throw usageError(`Not a header line: ${line}`, 'A header line is "Name: value".');
    else addHeader(request.headers, header.name, header.value);
  }
  // Requests to proxies have a full URL in the request line.
  const url = request.path?.startsWith('/') ? null : URL.parse(request.path ?? '');
  if (url !== null) addUrl(request, url);
  return withPseudoHeaders(request);
}

/** Joins folded header lines (RFC 9112, section 5.2). */
function unfolded(lines: string[]): string[] {
  const all: string[] = [];
  for (const line of lines) {
    if (/^[ \t]+\S/.test(line) && all.length > 0) all.push(`${all.pop()} ${line.trim()}`);
    else all.push(line);
  }
  return all;
}

function fromJson(content: string): RequestInput {
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(content) as Record<string, unknown>;
  } catch (error) {
    throw usageError(`Not JSON, though it starts like it: ${(error as Error).message}`);
  }
  const visit = isObject(value['visit']) ? value['visit'] : value;
  const headers = visit['request_headers'] ?? visit;
  if (!isObject(headers)) throw usageError('"request_headers" must be an object of headers.');
  const wrong = Object.keys(headers).find((name) => isObject(headers[name]));
  if (wrong !== undefined) throw usageError(`The header "${wrong}" must be a text, or a list of texts.`);
  const request: RequestInput = { headers: { ...(headers as Record<string, HeaderValue>) } };
  if (headers === visit) return withPseudoHeaders(request);
  if (typeof value['project_id'] === 'string') request.projectId = value['project_id'];
  if (typeof visit['request_method'] === 'string') request.method = visit['request_method'];
  if (typeof visit['client_address'] === 'string') request.clientAddress = visit['client_address'];
  if (typeof visit['request_path'] === 'string') request.path = visit['request_path'];
  return withPseudoHeaders(request);
}

/** Fills in a missing method and path from HTTP/2 pseudo-headers. */
function withPseudoHeaders(request: RequestInput): RequestInput {
  const { ':method': method, ':path': path } = request.headers;
  if (request.method === undefined && typeof method === 'string') request.method = method;
  if (request.path === undefined && typeof path === 'string') request.path = path;
  if (Object.keys(request.headers).length === 0) throw usageError('There are no headers in it.');
  return request;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
