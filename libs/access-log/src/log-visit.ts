import type { CacheResult } from './cache-result.js';
import { isIpAddress, UNIX_SOCKET } from './ip-address.js';
import type { LogLine, McpFields } from './log-line.js';

/** Fields in `POST /visits` that a log can provide. */
export interface LogVisit extends Partial<McpFields> {
  request_path: string;
  request_method: string;
  request_headers: Record<string, string>;
  client_address?: string;
  client_host_name?: string;
  response_status_code?: number;
  response_size_in_bytes?: number;
  response_size_type?: 'sent';
  response_cache?: CacheResult;
  response_duration_in_milliseconds?: number;
  response_headers?: Record<string, string>;
  created?: string;
}

/**
 * Converts a log line to a visit. The client is always the peer address, regardless of headers.
 *
 * The result for a given line must never change, except for `response_size_type` and `response_cache`. Otherwise,
 * importing a log again would record its visits twice.
 */
export function toVisit(line: LogLine): LogVisit {
  const headers: Record<string, string> = { ...line.headers };
  if (line.host !== undefined) headers['host'] = line.host;
  if (line.userAgent !== undefined) headers['user-agent'] = line.userAgent;
  if (line.referer !== undefined) headers['referer'] = line.referer;
  if (line.forwardedFor !== undefined) headers['x-forwarded-for'] = line.forwardedFor;
  const visit: LogVisit = { request_path: line.path, request_method: line.method, request_headers: headers };
  const isAddress = isIpAddress(line.client);
  if (isAddress) visit.client_address = line.client;
  if (line.status !== undefined) visit.response_status_code = line.status;
  if (line.size !== undefined) visit.response_size_in_bytes = line.size;
  if (line.isSizeWithHeaders) visit.response_size_type = 'sent';
  if (line.cache !== undefined) visit.response_cache = line.cache;
  if (line.durationInMilliseconds !== undefined) visit.response_duration_in_milliseconds = line.durationInMilliseconds;
  if (line.responseHeaders !== undefined) visit.response_headers = line.responseHeaders;
  if (!isAddress && line.client !== UNIX_SOCKET) visit.client_host_name = line.client;
  visit.created = line.time;
  return line.mcp === undefined ? visit : { ...visit, ...line.mcp };
}
