import type { Entry, JsonFormat } from './formats/log-format.js';
import { members } from './formats/log-format.js';
import { lineOf } from './json-line.js';
import { headersOf, isoTime, MILLISECONDS_IN, millisecondsOf, textOf, type DurationUnit } from './json-values.js';
import type { ParsedLine } from './log-line.js';

/** Fields of `--map`, with their allowed values. */
export const MAPPED_FIELDS = {
  time: 'when it was: ISO 8601, or seconds, milliseconds, microseconds or nanoseconds since 1970',
  client: "address of the connection's peer, with or without its port",
  method: 'HTTP method; GET where it is not mapped',
  path: 'path, with or without the query, or the whole URL',
  query: 'query, where it is apart from the path',
  status: 'HTTP status code',
  size: 'bytes of the response body',
  duration: 'time that the answer took, in milliseconds; also duration_s, duration_ms, duration_us and duration_ns',
  host: 'host name of the site',
  user_agent: 'User-Agent',
  referer: 'Referer',
  forwarded_for: 'X-Forwarded-For, as it was received',
  headers: 'object or list with all headers of the request',
  id: 'what your log calls this request',
} as const;
export type MappedField = keyof typeof MAPPED_FIELDS;

/** Keys of request fields. A key is the name of a member, or a path with dots: `request.uri`. */
export interface Mapping extends Partial<Record<MappedField, string | undefined>> {
  time: string;
  client: string;
  path: string;
  /** Default: `ms`. */
  duration_unit?: DurationUnit | undefined;
  /** Keys of single headers by lowercase name. */
  header?: Readonly<Record<string, string>> | undefined;
}

const REQUIRED = ['time', 'client', 'path'] as const;
const DURATION = /^duration_([a-z]+)$/;
const HEADER = /^header\.([!#$%&'*+.^_`|~0-9A-Za-z-]+)$/;

/**
 * Parses the values of `--map`.
 *
 * @param pairs `field=key`.
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
  if (equals === -1) return `"${pair}" must be field=key, such as path=request.uri`;
  const [field, key] = [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()];
  if (key === '') return `"${pair}" names no key: write ${field}=key`;
  const name = HEADER.exec(field)?.[1]?.toLowerCase();
  if (name !== undefined) {
    if (Object.hasOwn(header, name)) return `${field} is mapped twice`;
    header[name] = key;
    return null;
  }
  const unit = DURATION.exec(field)?.[1];
  if (unit !== undefined && !Object.hasOwn(MILLISECONDS_IN, unit)) {
    return `"${unit}" is not a unit of durations: write duration_s, duration_ms, duration_us or duration_ns`;
  }
  const known = unit === undefined ? field : 'duration';
  if (!Object.hasOwn(MAPPED_FIELDS, known)) {
    return `"${field}" is not a field: write ${Object.keys(MAPPED_FIELDS).join(', ')} or header.NAME`;
  }
  if (mapping[known as MappedField] !== undefined) return `${known} is mapped twice`;
  mapping[known as MappedField] = key;
  if (unit !== undefined) mapping.duration_unit = unit as DurationUnit;
  return null;
}

export function mappedFormat(mapping: Mapping): JsonFormat {
  const hasHeaders = mapping.headers !== undefined || 'signature' in (mapping.header ?? {});
  return {
    kind: 'json',
    name: 'mapped',
    title: 'JSON of your own',
    verifiedBy: hasHeaders ? 'addresses and signatures' : 'addresses',
    limits: hasHeaders
      ? ''
      : 'Signatures only with header.signature, header.signature-input and header.signature-agent.',
    recognizes: (entry) => valueAt(entry, mapping.time) !== undefined,
    read: (entry) => read(entry, mapping),
  };
}

function read(entry: Entry, mapping: Mapping): ParsedLine {
  const value = (field: MappedField): unknown => {
    const key = mapping[field];
    return key === undefined ? undefined : valueAt(entry, key);
  };
  // Reasons contain the key, because the mapping may be wrong.
  if (textOf(value('client')) === undefined) return { reason: `no client address at "${mapping.client}"` };
  if (isoTime(value('time')) === null) return { reason: `no time at "${mapping.time}" that can be read` };
  const path = textOf(value('path'));
  if (path === undefined) return { reason: `no path at "${mapping.path}"` };
  const single = Object.entries(mapping.header ?? {}).map(([name, key]) => [name, valueAt(entry, key)]);
  return lineOf({
    time: value('time'),
    client: value('client'),
    method: mapping.method === undefined ? 'GET' : value('method'),
    target: path,
    query: value('query'),
    host: value('host'),
    status: value('status'),
    size: value('size'),
    milliseconds: millisecondsOf(value('duration'), mapping.duration_unit ?? 'ms'),
    userAgent: value('user_agent'),
    referer: value('referer'),
    forwardedFor: value('forwarded_for'),
    headers: { ...headersOf(value('headers')), ...Object.fromEntries(single) },
    id: value('id'),
  });
}

/** Returns the member with this name, or follows a path with dots. */
function valueAt(entry: Entry, key: string): unknown {
  if (Object.hasOwn(entry, key)) return entry[key];
  let value: unknown = entry;
  for (const part of key.split('.')) {
    const inner = members(value);
    if (!Object.hasOwn(inner, part)) return undefined;
    value = inner[part];
  }
  return value;
}
