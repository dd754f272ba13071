import type { Entry, JsonFormat } from './formats/log-format.js';
import { toEntry } from './formats/log-format.js';
import { toParsedLine } from './json-line.js';
import { toHeaders, toIsoTime, MILLISECONDS_IN, toMilliseconds, toText, type DurationUnit } from './json-values.js';
import type { ParsedLine } from './log-line.js';

/** Fields for `--map`, with a description of their values. */
export const MAPPED_FIELDS = {
  time: 'time of the request: ISO 8601, or seconds, milliseconds, microseconds or nanoseconds since 1970',
  client: 'peer address, with or without a port',
  method: 'HTTP method; default: GET',
  path: 'path with or without a query, or the full URL',
  query: 'query, if it is separate from the path',
  status: 'HTTP status code',
  size: 'response body size in bytes',
  duration: 'response time in milliseconds; for other units, use duration_s, duration_ms, duration_us or duration_ns',
  host: "the site's host name",
  user_agent: 'User-Agent',
  referer: 'Referer',
  forwarded_for: 'X-Forwarded-For as received',
  headers: 'object or list that contains all request headers',
  id: 'request ID in your log',
} as const;
export type MappedField = keyof typeof MAPPED_FIELDS;

/** Keys for request fields. A key is the name of a member or a dotted path such as `request.uri`. */
export interface Mapping extends Partial<Record<MappedField, string | undefined>> {
  time: string;
  client: string;
  path: string;
  /** Default: `ms`. */
  duration_unit?: DurationUnit | undefined;
  /** Keys for individual headers, by lowercase header name. */
  header?: Readonly<Record<string, string>> | undefined;
}

const REQUIRED = ['time', 'client', 'path'] as const;
const DURATION = /^duration_([a-z]+)$/;
const HEADER = /^header\.([!#$%&'*+.^_`|~0-9A-Za-z-]+)$/;

/**
 * Parses `--map` values.
 *
 * @param pairs Values of the form `field=key`.
 * @returns the mapping, or error messages for invalid pairs and missing fields.
 */
export function readMapping(pairs: readonly string[]): { mapping: Mapping } | { faults: string[] } {
  const mapping: Partial<Mapping> = {};
  const header: Record<string, string> = {};
  const faults: string[] = [];
  for (const pair of pairs) {
    const fault = addPair(pair, mapping, header);
    if (fault !== null) faults.push(fault);
  }
  for (const field of REQUIRED) {
    if (mapping[field] === undefined) faults.push(`${field} is missing: ${MAPPED_FIELDS[field]}`);
  }
  if (faults.length > 0) return { faults };
  return { mapping: { ...(mapping as Mapping), ...(Object.keys(header).length > 0 && { header }) } };
}

/** Returns an error message, or null if the pair is valid. */
function addPair(pair: string, mapping: Partial<Mapping>, header: Record<string, string>): string | null {
  const equals = pair.indexOf('=');
  if (equals === -1) return `"${pair}" must have the form field=key, such as path=request.uri`;
  const [field, key] = [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()];
  if (key === '') return `the key is missing in "${pair}": use ${field}=key`;
  const name = HEADER.exec(field)?.[1]?.toLowerCase();
  if (name !== undefined) {
    if (Object.hasOwn(header, name)) return `${field} is mapped twice`;
    header[name] = key;
    return null;
  }
  const unit = DURATION.exec(field)?.[1];
  if (unit !== undefined && !Object.hasOwn(MILLISECONDS_IN, unit)) {
    return `unknown duration unit "${unit}": use duration_s, duration_ms, duration_us or duration_ns`;
  }
  const fieldName = unit === undefined ? field : 'duration';
  if (!Object.hasOwn(MAPPED_FIELDS, fieldName)) {
    return `unknown field "${field}": use ${Object.keys(MAPPED_FIELDS).join(', ')} or header.NAME`;
  }
  if (mapping[fieldName as MappedField] !== undefined) return `${fieldName} is mapped twice`;
  mapping[fieldName as MappedField] = key;
  if (unit !== undefined) mapping.duration_unit = unit as DurationUnit;
  return null;
}

export function mappedFormat(mapping: Mapping): JsonFormat {
  const hasHeaders = mapping.headers !== undefined || 'signature' in (mapping.header ?? {});
  return {
    kind: 'json',
    name: 'mapped',
    title: 'Custom JSON',
    verifiedBy: hasHeaders ? 'addresses and signatures' : 'addresses',
    limits: hasHeaders
      ? ''
      : 'To verify signatures, map header.signature, header.signature-input and header.signature-agent.',
    recognizes: (entry) => valueAt(entry, mapping.time) !== undefined,
    read: (entry) => read(entry, mapping),
  };
}

function read(entry: Entry, mapping: Mapping): ParsedLine {
  const value = (field: MappedField): unknown => {
    const key = mapping[field];
    return key === undefined ? undefined : valueAt(entry, key);
  };
  // Reasons include the key, because the mapping may be wrong.
  if (toText(value('client')) === undefined) return { reason: `no client address at "${mapping.client}"` };
  if (toIsoTime(value('time')) === null) return { reason: `no valid time at "${mapping.time}"` };
  const path = toText(value('path'));
  if (path === undefined) return { reason: `no path at "${mapping.path}"` };
  const single = Object.entries(mapping.header ?? {}).map(([name, key]) => [name, valueAt(entry, key)]);
  return toParsedLine({
    time: value('time'),
    client: value('client'),
    method: mapping.method === undefined ? 'GET' : value('method'),
    target: path,
    query: value('query'),
    host: value('host'),
    status: value('status'),
    size: value('size'),
    milliseconds: toMilliseconds(value('duration'), mapping.duration_unit ?? 'ms'),
    userAgent: value('user_agent'),
    referer: value('referer'),
    forwardedFor: value('forwarded_for'),
    headers: { ...toHeaders(value('headers')), ...Object.fromEntries(single) },
    id: value('id'),
  });
}

/** Returns the member with this name. If there is none, follows the key as a dotted path. */
function valueAt(entry: Entry, key: string): unknown {
  if (Object.hasOwn(entry, key)) return entry[key];
  let value: unknown = entry;
  for (const part of key.split('.')) {
    const inner = toEntry(value);
    if (!Object.hasOwn(inner, part)) return undefined;
    value = inner[part];
  }
  return value;
}
