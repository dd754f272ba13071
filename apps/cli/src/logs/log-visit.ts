import { isIP } from 'node:net';
import type { Visit } from '#libs/contracts';
import type { LogLine } from './line-parser.js';

/**
 * The visit that a line of a log stands for. Its first field is the peer of the connection, whatever a visitor writes into
 * headers. Fields a log can't know are left out.
 *
 * The same line must always become the same visit: an import that is repeated (within the 30 days that keys are
 * kept) after a change here would be recorded again.
 */
export function toVisit(line: LogLine): Visit {
  const headers: Record<string, string> = {};
  if (line.host !== undefined) headers['host'] = line.host;
  if (line.userAgent !== undefined) headers['user-agent'] = line.userAgent;
  if (line.referer !== undefined) headers['referer'] = line.referer;
  if (line.forwardedFor !== undefined) headers['x-forwarded-for'] = line.forwardedFor;
  const visit: Visit = { request_path: line.path, request_method: line.method, request_headers: headers };
  const isAddress = isIP(line.client) !== 0;
  if (isAddress) visit.client_address = line.client;
  if (line.status !== undefined) visit.response_status_code = line.status;
  if (line.size !== undefined) visit.response_size_in_bytes = line.size;
  if (!isAddress) visit.client_host_name = line.client;
  visit.created = line.time;
  return visit;
}
