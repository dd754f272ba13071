import { lineOf } from '../json-line.js';
import { headerOf, millisecondsOf } from '../json-values.js';
import type { ParsedLine } from '../log-line.js';
import { members, type Entry, type JsonFormat } from './log-format.js';

/** UTC time that the console encoder writes before an entry without `ts`: `2026/11/24 02:35:22.900`. */
const CONSOLE_TIME = /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d(?:\.\d+)?/;

/**
 * Caddy access log (caddyserver.com/docs/caddyfile/directives/log), as JSON or from the console encoder. Contains all
 * headers except credentials, including signatures. `client_ip` may come from a header, so the peer is `remote_ip`, or
 * `remote_addr` with its port before 2.5.
 */
export const caddy: JsonFormat = {
  kind: 'json',
  name: 'caddy',
  title: 'Caddy, JSON',
  verifiedBy: 'addresses and signatures',
  limits: '',
  recognizes: ({ request }) => {
    const { uri, remote_ip: address, remote_addr: addressAndPort } = members(request);
    return uri !== undefined && (address ?? addressAndPort) !== undefined;
  },
  read,
};

function read({ request, ts, status, size, duration, resp_headers: responseHeaders }: Entry, before = ''): ParsedLine {
  const { remote_ip: address, remote_addr: addressAndPort, method, uri, host, headers } = members(request);
  return lineOf({
    time: ts ?? CONSOLE_TIME.exec(before)?.[0],
    client: address ?? addressAndPort,
    method,
    target: uri,
    host,
    status,
    size,
    milliseconds: millisecondsOf(duration, 's'),
    headers,
    contentType: headerOf(responseHeaders, 'content-type'),
  });
}
