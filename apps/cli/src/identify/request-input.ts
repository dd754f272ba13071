import type { HeaderValue } from '#libs/contracts';
import { CliError, EXIT } from '../cli-error.js';
import { escapeInvisible } from '../terminal-text.js';

export interface RequestInput {
  projectId?: string;
  method?: string;
  /** Path, including the query string. */
  path?: string;
  /** Address of the connection's peer. */
  clientAddress?: string;
  /** Values by header name, in its original case. Repeated headers have an array of values. */
  headers: Record<string, HeaderValue>;
}

export function usageError(message: string, hint?: string): CliError {
  return new CliError(escapeInvisible(message), { exitCode: EXIT.usage, ...(hint === undefined ? {} : { hint }) });
}

/** Matches a header name (RFC 9110, section 5.1) or HTTP/2 pseudo-header, and its value. */
const HEADER_LINE = /^(:?[!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*:(.*)$/s;

/** Parses `Name: value`. Returns null if the line isn't a header. */
export function parseHeaderLine(line: string): { name: string; value: string } | null {
  const match = HEADER_LINE.exec(line);
  return match === null ? null : { name: match[1]!, value: match[2]!.trim() };
}

/** Adds a header, or adds a value to an existing header. Names are case-insensitive. */
export function addHeader(headers: Record<string, HeaderValue>, name: string, value: string): void {
  const existingName = Object.keys(headers).find((key) => key.toLowerCase() === name.toLowerCase());
  if (existingName === undefined) headers[name] = value;
  else headers[existingName] = [headers[existingName] ?? null, value].flat();
}

/** Replaces a header, or removes it if the value is undefined. Names are case-insensitive. */
export function setHeader(headers: Record<string, HeaderValue>, name: string, value: string | undefined): void {
  for (const key of Object.keys(headers)) if (key.toLowerCase() === name.toLowerCase()) delete headers[key];
  if (value !== undefined) headers[name] = value;
}

export function hasHeader(headers: Record<string, HeaderValue>, name: string): boolean {
  return Object.keys(headers).some((key) => key.toLowerCase() === name);
}

/** Sets the path and the `:scheme` pseudo-header from a URL, and `Host` if it's missing. */
export function addUrl(request: RequestInput, url: URL): void {
  request.path = url.pathname + url.search;
  if (!hasHeader(request.headers, 'host')) request.headers['Host'] = url.host;
  setHeader(request.headers, ':scheme', url.protocol.slice(0, -1));
}
