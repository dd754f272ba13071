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
  const isAddress = isIP(line.client) !== 0;
  return {
    request_path: line.path,
    request_method: line.method,
    request_headers: {
      ...(line.host === undefined ? {} : { host: line.host }),
      ...(line.userAgent === undefined ? {} : { 'user-agent': line.userAgent }),
      ...(line.referer === undefined ? {} : { referer: line.referer }),
      ...(line.forwardedFor === undefined ? {} : { 'x-forwarded-for': line.forwardedFor }),
    },
    ...(isAddress ? { client_address: line.client } : {}),
    ...(line.status === undefined ? {} : { response_status_code: line.status }),
    ...(line.size === undefined ? {} : { response_size_in_bytes: line.size }),
    ...(isAddress ? {} : { client_host_name: line.client }),
    created: line.time,
  };
}
