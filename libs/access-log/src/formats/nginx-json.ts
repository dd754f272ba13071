import { parseIpAddress } from '../ip-address.js';
import { JsonFields, type JsonField } from '../json-fields.js';
import { namedHeaders, namedResponseHeaders } from '../json-keys.js';
import { toParsedLine } from '../json-line.js';
import { toHeaders, toMilliseconds, toText } from '../json-values.js';
import type { ParsedLine } from '../log-line.js';
import type { Entry, JsonFormat } from './log-format.js';

const HEADER_START = 'http_';
/**
 * Names that follow `http_` in keys but aren't request headers, such as `status`, or are read as a separate field, such
 * as `host`.
 */
const NON_HEADER_NAMES = new Set(
  'host method status status-code response-code version protocol scheme url uri path request time xff'.split(' '),
);
/** Keys added by Vector, Logstash or GELF. If one is present, `host` is the machine instead of the site. */
const COLLECTORS = ['source_type', '@version', 'short_message'];

/**
 * JSON written by an nginx `log_format`, and any other JSON with similar keys
 * (nginx.org/en/docs/http/ngx_http_log_module.html#log_format).
 *
 * Keys for request headers are variable names such as `http_signature`.
 */
export const nginxJson: JsonFormat = {
  kind: 'json',
  name: 'nginx-json',
  title: 'nginx, JSON log_format',
  verifiedBy: 'addresses and signatures',
  limits:
    'Fields are recognized by variable names and other common names. Map others with --map. Signatures require $http_signature, $http_signature_input and $http_signature_agent in the log_format. MCP calls require $http_mcp_method, $http_mcp_name and $http_mcp_protocol_version. Payments require the payment headers.',
  recognizes: (entry) => {
    const fields = getFields(entry);
    const hasTarget = fields.has('target') || isPath(fields.get('request'));
    return (
      (fields.has('client') || vectorClient(entry, fields) !== undefined) &&
      fields.has('time') &&
      (fields.has('method') || isMatomoEntry(entry) ? hasTarget : fields.has('request'))
    );
  },
  read,
};

/** Fields in the most recent object. Each object is read twice: to recognize the format and to parse the line. */
let lastRead: { entry: Entry; fields: JsonFields } | undefined;

function getFields(entry: Entry): JsonFields {
  if (lastRead?.entry !== entry) lastRead = { entry, fields: new JsonFields(entry) };
  return lastRead.fields;
}

function read(entry: Entry): ParsedLine {
  const fields = getFields(entry);
  const value = (field: JsonField): unknown => fields.get(field);
  const host = vectorClient(entry, fields);
  const replaced = entry['realip_remote_addr'] === entry['remote_addr'] ? undefined : entry['remote_addr'];
  const isReplaced = entry['realip_remote_addr'] !== undefined;
  const request = value('request');
  return toParsedLine({
    time: value('time'),
    client: value('client') ?? host,
    method: value('method') ?? (isMatomoEntry(entry) ? 'GET' : undefined),
    // In Logstash output, `request` is the path.
    target: value('target') ?? (isPath(request) ? request : undefined),
    query: value('query'),
    request,
    host: host === undefined && !isMachineName(entry, value('host')) ? value('host') : undefined,
    status: value('status'),
    size: value('size'),
    milliseconds: fields.duration && toMilliseconds(fields.duration.value, fields.duration.unit ?? 's'),
    userAgent: stripQuotes(value('userAgent')),
    referer: stripQuotes(value('referer')),
    forwardedFor: value('forwardedFor') ?? (isReplaced ? replaced : undefined),
    contentType: value('contentType'),
    headers: { ...toHeaders(value('headers')), ...variableHeaders(entry), ...namedHeaders(entry) },
    responseHeaders: namedResponseHeaders(entry),
  });
}

const isPath = (value: unknown): boolean => typeof value === 'string' && value.startsWith('/');

/**
 * Returns true for Matomo's nginx format, which doesn't contain the method
 * (github.com/matomo-org/matomo-log-analytics).
 */
const isMatomoEntry = (entry: Entry): boolean => 'generation_time_milli' in entry && !('method' in entry);

/** Returns the client address from `host`, where Vector's `parse_apache_log` writes it. */
function vectorClient(entry: Entry, fields: JsonFields): string | undefined {
  const { host, protocol } = entry;
  if (fields.has('client') || typeof host !== 'string' || parseIpAddress(host) === null) return undefined;
  return typeof protocol === 'string' && protocol.startsWith('HTTP/') ? host : undefined;
}

const isMachineName = (entry: Entry, host: unknown): boolean =>
  entry['host'] === host && host !== undefined && COLLECTORS.some((name) => name in entry);

/** Strips surrounding quotes, which Logstash doesn't remove. */
const stripQuotes = (value: unknown): unknown =>
  typeof value === 'string' && value.length > 1 && value.startsWith('"') && value.endsWith('"')
    ? value.slice(1, -1)
    : value;

function variableHeaders(entry: Entry): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const key of Object.keys(entry)) {
    const text = key.startsWith(HEADER_START) ? toText(entry[key]) : undefined;
    if (text === undefined) continue;
    const name = key.slice(HEADER_START.length).toLowerCase().replaceAll('_', '-');
    if (!NON_HEADER_NAMES.has(name)) headers[name] = text;
  }
  return headers;
}
