import { firstOf, hasOne, signatureHeaders } from '../json-keys.js';
import { lineOf } from '../json-line.js';
import { millisecondsOf, textOf } from '../json-values.js';
import type { ParsedLine } from '../log-line.js';
import type { Entry, JsonFormat } from './log-format.js';

/** Keys that people choose; the names of nginx' variables come first. */
const KEYS = {
  time: ['time_iso8601', 'msec', '@timestamp', 'timestamp', 'time_local', 'time', 'datetime', 'event_datetime', 'date'],
  // What the realip module replaced is the peer.
  client: ['realip_remote_addr', 'remote_addr', 'client_ip', 'clientip', 'remote_ip', 'remote_address', 'ip', 'client'],
  method: ['request_method', 'method', 'http_method', 'verb'],
  target: ['request_uri', 'url', 'path', 'uri', 'request_path', 'document_uri'],
  query: ['args', 'query_string', 'query'],
  request: ['request', 'request_line'],
  host: ['host', 'http_host', 'server_name', 'vhost', 'domain'],
  status: ['status', 'status_code', 'response_status', 'response_code', 'code'],
  size: ['body_bytes_sent'],
  // Matomo's name for `$request_time`, which is in seconds nevertheless.
  seconds: ['request_time', 'generation_time_milli'],
  userAgent: ['http_user_agent', 'user_agent', 'useragent', 'agent'],
  referer: ['http_referer', 'referer', 'referrer', 'http_referrer'],
  forwardedFor: ['http_x_forwarded_for', 'x_forwarded_for', 'forwarded_for'],
  contentType: ['sent_http_content_type', 'upstream_http_content_type'],
} as const;

const HEADER_START = 'http_';

/**
 * A `log_format` of nginx whose text is JSON, and whatever else has such keys
 * (nginx.org/en/docs/http/ngx_http_log_module.html#log_format). A request header is the key of its variable: `http_signature`.
 */
export const nginxJson: JsonFormat = {
  kind: 'json',
  name: 'nginx-json',
  title: 'nginx, JSON of a log_format',
  verifiedBy: 'addresses and signatures',
  limits:
    'Fields are found by the names of variables and by usual names; name others with --map. Signatures only if the log_format has $http_signature, $http_signature_input and $http_signature_agent.',
  recognizes: (entry) =>
    hasOne(entry, KEYS.client) &&
    hasOne(entry, KEYS.time) &&
    (hasOne(entry, KEYS.method) ? hasOne(entry, KEYS.target) : hasOne(entry, KEYS.request)),
  read,
};

function read(entry: Entry): ParsedLine {
  const value = (field: keyof typeof KEYS): unknown => firstOf(entry, KEYS[field]);
  const replaced = entry['realip_remote_addr'] === entry['remote_addr'] ? undefined : entry['remote_addr'];
  const isReplaced = entry['realip_remote_addr'] !== undefined;
  return lineOf({
    time: value('time'),
    client: value('client'),
    method: value('method'),
    target: value('target'),
    query: value('query'),
    request: value('request'),
    host: value('host'),
    status: value('status'),
    size: value('size'),
    milliseconds: millisecondsOf(value('seconds'), 's'),
    userAgent: value('userAgent'),
    referer: value('referer'),
    forwardedFor: value('forwardedFor') ?? (isReplaced ? replaced : undefined),
    contentType: value('contentType'),
    headers: { ...headersOfVariables(entry), ...signatureHeaders(entry) },
  });
}

function headersOfVariables(entry: Entry): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const key of Object.keys(entry)) {
    const text = key.startsWith(HEADER_START) ? textOf(entry[key]) : undefined;
    if (text !== undefined) headers[key.slice(HEADER_START.length).toLowerCase().replaceAll('_', '-')] = text;
  }
  // The port may be missing from one of them, and `http_method` is the request's.
  delete headers['host'];
  delete headers['method'];
  return headers;
}
