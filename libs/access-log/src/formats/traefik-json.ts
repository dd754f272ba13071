import { lineOf } from '../json-line.js';
import { headerOf, millisecondsOf } from '../json-values.js';
import { isForwardedFor } from '../line-parser.js';
import type { ParsedLine } from '../log-line.js';
import type { Entry, JsonFormat } from './log-format.js';

const REQUEST_HEADER = 'request_';

/**
 * Traefik's access log with `format: json`
 * (doc.traefik.io/traefik/reference/install-configuration/observability/logs-and-accesslogs).
 *
 * `ClientAddr` is the peer. `ClientHost` contains the value of X-Forwarded-For, if the request has one. Durations are
 * in nanoseconds.
 */
export const traefikJson: JsonFormat = {
  kind: 'json',
  name: 'traefik-json',
  title: 'Traefik, JSON',
  verifiedBy: 'addresses and signatures',
  limits:
    'By default, Traefik logs no request headers. Keep User-Agent, Referer, Signature, Signature-Input and Signature-Agent with accesslog.fields.headers.names.',
  recognizes: (entry) => 'RequestMethod' in entry && 'DownstreamStatus' in entry,
  read,
};

function read(entry: Entry): ParsedLine {
  const { ClientAddr: peer, ClientHost: client } = entry;
  const isForwarded = typeof client === 'string' && isForwardedFor(client);
  return lineOf({
    time: entry['StartUTC'] ?? entry['StartLocal'] ?? entry['time'],
    client: peer ?? client,
    method: entry['RequestMethod'],
    target: entry['RequestPath'],
    host: entry['RequestHost'],
    status: entry['DownstreamStatus'],
    size: entry['DownstreamContentSize'],
    milliseconds: millisecondsOf(entry['Duration'], 'ns'),
    forwardedFor: isForwarded && !String(peer).includes(client) ? client : undefined,
    contentType: headerOf(entry, 'downstream_content-type'),
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
