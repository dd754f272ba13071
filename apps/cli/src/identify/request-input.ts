import type { HeaderValue } from '#libs/contracts';
import { CliError, EXIT } from '../cli-error.js';
import { visible } from '../terminal-text.js';

/** A request to be identified, as far as it is known. */
export interface RequestInput {
  projectId?: string;
  method?: string;
  /** With its query. */
  path?: string;
  /** The peer of the connection. */
  clientAddress?: string;
  /** By name as given; several values of one name are a list. */
  headers: Record<string, HeaderValue>;
}

export function usageError(message: string, hint?: string): CliError {
  return new CliError(visible(message), { exitCode: EXIT.usage, ...(hint === undefined ? {} : { hint }) });
}

/** A field name of RFC 9110 section 5.1, or a pseudo-header of HTTP/2. */
const HEADER_LINE = /^(:?[!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*:(.*)$/s;

/** Reads `Name: value`. @returns `null` when it isn't that. */
export function parseHeaderLine(line: string): { name: string; value: string } | null {
  const match = HEADER_LINE.exec(line);
  return match === null ? null : { name: match[1]!, value: match[2]!.trim() };
}

/** Adds a header; one that is there already, in whatever case, gets a further value. */
export function addHeader(headers: Record<string, HeaderValue>, name: string, value: string): void {
  const known = Object.keys(headers).find((key) => key.toLowerCase() === name.toLowerCase());
  if (known === undefined) headers[name] = value;
  else headers[known] = [headers[known] ?? null, value].flat();
}

/** Replaces a header, in whatever case; `undefined` takes it away. */
export function setHeader(headers: Record<string, HeaderValue>, name: string, value: string | undefined): void {
  for (const key of Object.keys(headers)) if (key.toLowerCase() === name.toLowerCase()) delete headers[key];
  if (value !== undefined) headers[name] = value;
}

export function hasHeader(headers: Record<string, HeaderValue>, name: string): boolean {
  return Object.keys(headers).some((key) => key.toLowerCase() === name);
}

/** What an address tells of a request: `Host`, path with query, and the scheme as HTTP/2 has it. */
export function addUrl(request: RequestInput, url: URL): void {
  request.path = url.pathname + url.search;
  if (!hasHeader(request.headers, 'host')) request.headers['Host'] = url.host;
  setHeader(request.headers, ':scheme', url.protocol.slice(0, -1));
}
