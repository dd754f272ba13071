import { namedResponseHeaders } from '../json-keys.js';
import { toParsedLine } from '../json-line.js';
import { getHeader, toMilliseconds } from '../json-values.js';
import { isForwardedFor } from '../line-parser.js';
import type { ParsedLine } from '../log-line.js';
import type { Entry, JsonFormat } from './log-format.js';

const REQUEST_HEADER = 'request_';

/**
 * Traefik's access log with `format: json`
 * (doc.traefik.io/traefik/reference/install-configuration/observability/logs-and-accesslogs).
 *
 * `ClientAddr` is the peer. `ClientHost` contains the X-Forwarded-For value if the request has one. Durations are in
 * nanoseconds.
 */
export const traefikJson: JsonFormat = {
  kind: 'json',
  name: 'traefik-json',
  title: 'Traefik, JSON',
  verifiedBy: 'addresses and signatures',
  limits:
    'Traefik logs no request headers by default. Use accesslog.fields.headers.names to keep User-Agent, Referer, Signature, Signature-Input and Signature-Agent, for MCP calls Mcp-Method, Mcp-Name and Mcp-Protocol-Version, and the payment headers.',
  recognizes: (entry) => 'RequestMethod' in entry && 'DownstreamStatus' in entry,
  read,
};

function read(entry: Entry): ParsedLine {
  const { ClientAddr: peer, ClientHost: client } = entry;
  const isForwarded = typeof client === 'string' && isForwardedFor(client);
  return toParsedLine({
    time: entry['StartUTC'] ?? entry['StartLocal'] ?? entry['time'],
    client: peer ?? client,
    method: entry['RequestMethod'],
    target: entry['RequestPath'],
    host: entry['RequestHost'],
    status: entry['DownstreamStatus'],
    size: entry['DownstreamContentSize'],
    milliseconds: toMilliseconds(entry['Duration'], 'ns'),
    forwardedFor: isForwarded && !String(peer).includes(client) ? client : undefined,
    contentType: getHeader(entry, 'downstream_content-type'),
    responseHeaders: namedResponseHeaders(entry),
    headers: requestHeaders(entry),
  });
}

function requestHeaders(entry: Entry): Entry {
  const headers: Record<string, unknown> = {};
  for (const name of Object.keys(entry)) {
    if (name.startsWith(REQUEST_HEADER)) headers[name.slice(REQUEST_HEADER.length)] = entry[name];
  }
  return headers;
}
