import { paymentResponseHeaders } from '../json-keys.js';
import { toParsedLine } from '../json-line.js';
import { getHeader, toMilliseconds } from '../json-values.js';
import type { ParsedLine } from '../log-line.js';
import { toEntry, type Entry, type JsonFormat } from './log-format.js';

/** UTC time that the console encoder writes in front of an entry without `ts`, such as `2026/11/24 02:35:22.900`. */
const CONSOLE_TIME = /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d(?:\.\d+)?/;

/**
 * Caddy access log (caddyserver.com/docs/caddyfile/directives/log), written by the JSON or console encoder. Contains all
 * headers except credentials. The peer is `remote_ip`, or `remote_addr` with a port before Caddy 2.5. `client_ip` isn't
 * used, because it may come from a header.
 */
export const caddy: JsonFormat = {
  kind: 'json',
  name: 'caddy',
  title: 'Caddy, JSON',
  verifiedBy: 'addresses and signatures',
  limits: '',
  recognizes: ({ request }) => {
    const { uri, remote_ip: address, remote_addr: addressAndPort } = toEntry(request);
    return uri !== undefined && (address ?? addressAndPort) !== undefined;
  },
  read,
};

function read({ request, ts, status, size, duration, resp_headers: responseHeaders }: Entry, before = ''): ParsedLine {
  const { remote_ip: address, remote_addr: addressAndPort, method, uri, host, headers } = toEntry(request);
  return toParsedLine({
    time: ts ?? CONSOLE_TIME.exec(before)?.[0],
    client: address ?? addressAndPort,
    method,
    target: uri,
    host,
    status,
    size,
    milliseconds: toMilliseconds(duration, 's'),
    headers,
    contentType: getHeader(responseHeaders, 'content-type'),
    responseHeaders: paymentResponseHeaders(responseHeaders),
  });
}
