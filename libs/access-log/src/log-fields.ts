import { parseCacheResult } from './cache-result.js';
import { parseIpAddress, isHostName } from './ip-address.js';
import { toMilliseconds } from './json-values.js';
import type { LogLine, ParsedRequest } from './log-line.js';
import { readTime } from './log-time.js';
import { isMissing } from './quoted-field.js';
import { readRequest, readRequestLine } from './request-line.js';

/** Meanings of fields other than headers. */
type FieldName =
  /** Client address as determined by the server, with or without a port. */
  | 'client'
  /** Peer address. Takes precedence over `client`, which the server may have read from a header. */
  | 'peer'
  /** Complete time in any format that `readTime` accepts. */
  | 'time'
  /** Parts of a time whose date, clock time and zone are logged separately. */
  | 'date'
  | 'clock'
  /** UTC offset. Other values are ignored. */
  | 'zone'
  /** Request line such as `GET /path?query HTTP/1.1`. */
  | 'request'
  | 'method'
  /** Path with or without a query. */
  | 'path'
  | 'query'
  /** URL without the scheme. */
  | 'address'
  | 'host'
  /** Server name. Used if the host isn't logged. */
  | 'server'
  | 'status'
  /** Response body size in bytes. */
  | 'size'
  /** Response size in bytes, including headers. Used if the body size isn't logged. */
  | 'sent'
  /** Cache result, such as `HIT`. */
  | 'cache'
  | 'seconds'
  | 'milliseconds'
  | 'microseconds'
  | 'nanoseconds'
  | 'id';

/** Meaning of a field. Null means that the field is ignored. Header names are lowercase. */
export type Meaning = FieldName | { header: string } | { responseHeader: string } | null;

/**
 * Looks up a name in a table. Returns null for unknown names. Doesn't match prototype members, because names come from
 * logs.
 */
export const lookUpMeaning = (table: Readonly<Record<string, Meaning>>, name: string): Meaning =>
  Object.hasOwn(table, name) ? table[name]! : null;

const HEADER_FIELDS = new Map([
  ['user-agent', 'userAgent'],
  ['referer', 'referer'],
  ['x-forwarded-for', 'forwardedFor'],
] as const) as ReadonlyMap<string, 'userAgent' | 'referer' | 'forwardedFor'>;
/** Duration units, most precise first. For example, Apache's `%T` only contains whole seconds. */
const UNITS = { nanoseconds: 'ns', microseconds: 'us', milliseconds: 'ms', seconds: 's' } as const;
const ZONE = /^(?:Z|[+-]\d\d:?\d\d)$/;

/** Collects a line's fields by meaning. If several fields have the same meaning, the first value is used. */
export class LogFields {
  private readonly texts: { [name in FieldName]?: string } = {};
  private readonly headers: Record<string, string> = {};
  private readonly responseHeaders: Record<string, string> = {};

  /** @param text Decoded value. Missing values ({@link isMissing}) are ignored. */
  set(meaning: Meaning, text: string): void {
    if (meaning === null || isMissing(text)) return;
    if (typeof meaning === 'string') this.texts[meaning] ??= text;
    else if ('header' in meaning) this.headers[meaning.header] ??= text;
    else this.responseHeaders[meaning.responseHeader] ??= text;
  }

  takeHeader(name: string): string | undefined {
    const text = this.headers[name];
    delete this.headers[name];
    return text;
  }

  /** Converts the fields to a log line. Returns a reason if a required field is missing or a field is invalid. */
  line(): ParsedRequest {
    const { texts } = this;
    const client = this.client();
    if (client === null) return { reason: 'no client address' };
    const time = this.time();
    if (time === null) return { reason: 'no time' };
    const request =
      texts.request === undefined ? readRequest(texts.method ?? '', this.target()) : readRequestLine(texts.request);
    if ('reason' in request) return request;
    if (texts.status !== undefined && !/^(?:\d{3}|0)$/.test(texts.status)) return { reason: 'no three-digit status' };
    const size = texts.size ?? texts.sent;
    if (size !== undefined && !/^\d{1,15}$/.test(size)) return { reason: 'no size in bytes' };
    const line: LogLine = { client, time, method: request.method, path: request.path };
    const host = texts.host ?? request.host ?? this.addressParts()?.host ?? texts.server;
    if (host !== undefined && host !== '_') line.host = host.replace(/:(?:80|443)$/, '');
    // The status is 0 or 000 if the client disconnected before the response.
    if (texts.status !== undefined && Number(texts.status) >= 100) line.status = Number(texts.status);
    if (size !== undefined) line.size = Number(size);
    if (size !== undefined && texts.size === undefined) line.isSizeWithHeaders = true;
    const cache = texts.cache === undefined ? null : parseCacheResult(texts.cache);
    if (cache !== null) line.cache = cache;
    const duration = this.duration();
    if (duration !== undefined) line.durationInMilliseconds = duration;
    this.addHeaders(line);
    if (texts.id !== undefined) line.id = texts.id;
    return { line };
  }

  private addHeaders(line: LogLine): void {
    const others: [string, string][] = [];
    for (const [name, text] of Object.entries(this.headers)) {
      const field = HEADER_FIELDS.get(name);
      if (field === undefined) others.push([name, text]);
      else line[field] = text;
    }
    if (others.length > 0) line.headers = Object.fromEntries(others);
    if (Object.keys(this.responseHeaders).length > 0) line.responseHeaders = this.responseHeaders;
  }

  private client(): string | null {
    const text = this.texts.peer ?? this.texts.client;
    if (text === undefined) return null;
    // In an X-Forwarded-For list, clients can forge all entries except the last.
    const last = text.slice(text.lastIndexOf(',') + 1).trim();
    return parseIpAddress(last) ?? (isHostName(last) ? last : null);
  }

  private time(): string | null {
    const { time, date, clock, zone } = this.texts;
    if (time !== undefined) return readTime(time);
    if (date === undefined || clock === undefined) return null;
    return readTime(`${date} ${clock}${zone !== undefined && ZONE.test(zone) ? ` ${zone}` : ''}`);
  }

  private target(): string {
    const { path = this.addressParts()?.path, query } = this.texts;
    if (path === undefined || query === undefined || path.includes('?')) return path ?? '';
    return `${path}${query.startsWith('?') ? '' : '?'}${query}`;
  }

  private addressParts(): { host: string; path: string } | undefined {
    const { address } = this.texts;
    const slash = address?.indexOf('/') ?? -1;
    return slash <= 0 ? undefined : { host: address!.slice(0, slash), path: address!.slice(slash) };
  }

  private duration(): number | undefined {
    for (const [name, unit] of Object.entries(UNITS)) {
      const text = this.texts[name as keyof typeof UNITS];
      const milliseconds = toMilliseconds(text, unit);
      if (milliseconds !== undefined) return milliseconds;
    }
    return undefined;
  }
}
