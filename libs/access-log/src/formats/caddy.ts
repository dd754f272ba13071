import { lineOf } from '../json-line.js';
import { headerOf, millisecondsOf } from '../json-values.js';
import type { ParsedLine } from '../log-line.js';
import { members, type Entry, type JsonFormat } from './log-format.js';

/** What its console encoder writes in front of an entry, where the entry has no time: `2026/11/24 02:35:22.900`, in UTC. */
const CONSOLE_TIME = /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d(?:\.\d+)?/;

/**
 * Caddy's access log (caddyserver.com/docs/caddyfile/directives/log), as JSON or as its console encoder writes it. The
 * headers are all there, signatures included; Caddy leaves out those with credentials. Its `client_ip` may be what a
 * header says, so the peer is `remote_ip`, which was `remote_addr` with the port before 2.5.
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
