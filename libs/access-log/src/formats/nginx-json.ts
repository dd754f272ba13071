import { ipAddressIn } from '../ip-address.js';
import { JsonFields, type JsonField } from '../json-fields.js';
import { signatureHeaders } from '../json-keys.js';
import { lineOf } from '../json-line.js';
import { headersOf, millisecondsOf, textOf } from '../json-values.js';
import type { ParsedLine } from '../log-line.js';
import type { Entry, JsonFormat } from './log-format.js';

const HEADER_START = 'http_';
/** Names after `http_` that aren't request headers, or that are read as other fields. */
const NO_HEADERS = new Set(
  'host method status status-code response-code version protocol scheme url uri path request time xff'.split(' '),
);
/** Members added by Vector, Logstash or GELF. If one is present, `host` is the machine, not the site. */
const COLLECTORS = ['source_type', '@version', 'short_message'];

/**
 * nginx `log_format` with JSON, and any other JSON with similar keys
 * (nginx.org/en/docs/http/ngx_http_log_module.html#log_format).
 *
 * The keys of request headers are variable names, such as `http_signature`.
 */
export const nginxJson: JsonFormat = {
  kind: 'json',
  name: 'nginx-json',
  title: 'nginx, JSON of a log_format',
  verifiedBy: 'addresses and signatures',
  limits:
    'Fields are found by variable names and common names. Map others with --map. Signatures only if the log_format has $http_signature, $http_signature_input and $http_signature_agent.',
  recognizes: (entry) => {
    const fields = fieldsOf(entry);
    const hasTarget = fields.has('target') || isPath(fields.get('request'));
    return (
      (fields.has('client') || clientOfVector(entry, fields) !== undefined) &&
      fields.has('time') &&
      (fields.has('method') || isOfMatomo(entry) ? hasTarget : fields.has('request'))
    );
  },
  read,
};

/** Fields of the latest object. Each object is first recognized, then read. */
let last: { entry: Entry; fields: JsonFields } | undefined;

function fieldsOf(entry: Entry): JsonFields {
  if (last?.entry !== entry) last = { entry, fields: new JsonFields(entry) };
  return last.fields;
}

function read(entry: Entry): ParsedLine {
  const fields = fieldsOf(entry);
  const value = (field: JsonField): unknown => fields.get(field);
  const host = clientOfVector(entry, fields);
  const replaced = entry['realip_remote_addr'] === entry['remote_addr'] ? undefined : entry['remote_addr'];
  const isReplaced = entry['realip_remote_addr'] !== undefined;
  const request = value('request');
  return lineOf({
    time: value('time'),
    client: value('client') ?? host,
    method: value('method') ?? (isOfMatomo(entry) ? 'GET' : undefined),
    // Logstash calls the path `request`.
    target: value('target') ?? (isPath(request) ? request : undefined),
    query: value('query'),
    request,
    host: host === undefined && !isOfMachine(entry, value('host')) ? value('host') : undefined,
    status: value('status'),
    size: value('size'),
    milliseconds: fields.duration && millisecondsOf(fields.duration.value, fields.duration.unit ?? 's'),
    userAgent: unquoted(value('userAgent')),
    referer: unquoted(value('referer')),
    forwardedFor: value('forwardedFor') ?? (isReplaced ? replaced : undefined),
    contentType: value('contentType'),
    headers: { ...headersOf(value('headers')), ...headersOfVariables(entry), ...signatureHeaders(entry) },
  });
}

const isPath = (value: unknown): boolean => typeof value === 'string' && value.startsWith('/');

/**
 * Returns true for Matomo's nginx format, which doesn't contain the method
 * (github.com/matomo-org/matomo-log-analytics).
 */
const isOfMatomo = (entry: Entry): boolean => 'generation_time_milli' in entry && !('method' in entry);

/** Returns the client if its key is `host`, as in the output of Vector's `parse_apache_log`. */
function clientOfVector(entry: Entry, fields: JsonFields): string | undefined {
  const { host, protocol } = entry;
  if (fields.has('client') || typeof host !== 'string' || ipAddressIn(host) === null) return undefined;
  return typeof protocol === 'string' && protocol.startsWith('HTTP/') ? host : undefined;
}

const isOfMachine = (entry: Entry, host: unknown): boolean =>
  entry['host'] === host && host !== undefined && COLLECTORS.some((name) => name in entry);

/** Removes quotes around a value. Logstash keeps them. */
const unquoted = (value: unknown): unknown =>
  typeof value === 'string' && value.length > 1 && value.startsWith('"') && value.endsWith('"')
    ? value.slice(1, -1)
    : value;

function headersOfVariables(entry: Entry): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const key of Object.keys(entry)) {
    const text = key.startsWith(HEADER_START) ? textOf(entry[key]) : undefined;
    if (text === undefined) continue;
    const name = key.slice(HEADER_START.length).toLowerCase().replaceAll('_', '-');
    if (!NO_HEADERS.has(name)) headers[name] = text;
  }
  return headers;
}
