import type { HeaderValue } from '#libs/contracts';
import { parseCurlText } from './curl-command.js';
import { addHeader, addUrl, parseHeaderLine, usageError, type RequestInput } from './request-input.js';

const REQUEST_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) (\S+) HTTP\/\d(?:\.\d)?$/;

/**
 * Parses a request in any of these forms: a raw request head, `curl -v` output, header lines, a JSON object with
 * headers, a visit or identification request as JSON, or a curl command.
 */
export function parseRequestText(text: string): RequestInput {
  const content = text.replace(/^\ufeff/, '').trimStart();
  if (content.startsWith('{')) return parseJsonRequest(content);
  if (/^(?:\$ )?curl\s/.test(content)) return parseCurlText(content);
  return parseHead(content);
}

function parseHead(content: string): RequestInput {
  const request: RequestInput = { headers: {} };
  const lines = content.split(/\r?\n/);
  const sentLines = lines.filter((line) => /^> ./.test(line)).map((line) => line.slice(2));
  for (const line of unfoldLines(sentLines.length > 0 ? sentLines : lines)) {
    if (line.trim() === '') break;
    const requestLine = REQUEST_LINE.exec(line);
    const header = requestLine === null ? parseHeaderLine(line) : null;
    if (requestLine !== null && request.method === undefined && Object.keys(request.headers).length === 0) {
      request.method = requestLine[1]!;
      request.path = requestLine[2]!;
    } else if (header === null)
      throw usageError(`Invalid header line: ${line}`, 'A header line must have the form "Name: value".');
    else addHeader(request.headers, header.name, header.value);
  }
  // A request to a proxy has a full URL in its request line instead of a path.
  const url = request.path?.startsWith('/') ? null : URL.parse(request.path ?? '');
  if (url !== null) addUrl(request, url);
  return applyPseudoHeaders(request);
}

/** Joins folded header lines (RFC 9112, section 5.2). */
function unfoldLines(lines: string[]): string[] {
  const unfoldedLines: string[] = [];
  for (const line of lines) {
    if (/^[ \t]+\S/.test(line) && unfoldedLines.length > 0) unfoldedLines.push(`${unfoldedLines.pop()} ${line.trim()}`);
    else unfoldedLines.push(line);
  }
  return unfoldedLines;
}

function parseJsonRequest(content: string): RequestInput {
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(content) as Record<string, unknown>;
  } catch (error) {
    throw usageError(`Invalid JSON: ${(error as Error).message}`);
  }
  const visit = isObject(value['visit']) ? value['visit'] : value;
  const headers = visit['request_headers'] ?? visit;
  if (!isObject(headers)) throw usageError('"request_headers" must be an object.');
  const invalidName = Object.keys(headers).find((name) => isObject(headers[name]));
  if (invalidName !== undefined)
    throw usageError(`The header "${invalidName}" must be a string or an array of strings.`);
  const request: RequestInput = { headers: { ...(headers as Record<string, HeaderValue>) } };
  if (headers === visit) return applyPseudoHeaders(request);
  if (typeof value['project_id'] === 'string') request.projectId = value['project_id'];
  if (typeof visit['request_method'] === 'string') request.method = visit['request_method'];
  if (typeof visit['client_address'] === 'string') request.clientAddress = visit['client_address'];
  if (typeof visit['request_path'] === 'string') request.path = visit['request_path'];
  return applyPseudoHeaders(request);
}

/** Sets a missing method or path from HTTP/2 pseudo-headers. @throws {CliError} if the request has no headers. */
function applyPseudoHeaders(request: RequestInput): RequestInput {
  const { ':method': method, ':path': path } = request.headers;
  if (request.method === undefined && typeof method === 'string') request.method = method;
  if (request.path === undefined && typeof path === 'string') request.path = path;
  if (Object.keys(request.headers).length === 0) throw usageError('The request contains no headers.');
  return request;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
