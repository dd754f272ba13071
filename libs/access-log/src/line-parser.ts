import { clientIn, ipAddressIn, isHostName, isIpAddress, isUsedAddress } from './ip-address.js';
import { MAX_LINE_LENGTH } from './limits.js';
import type { LogLine, ParsedRequest } from './log-line.js';
import { decodeBytes, isMissing, readQuoted, unescapeField } from './quoted-field.js';
import { readRequestLine } from './request-line.js';

export const APACHE_FORMATS = ['auto', 'common', 'combined', 'vhost-combined'] as const;
export type ApacheFormat = (typeof APACHE_FORMATS)[number];

const TIME = /\[(\d{2}\/[A-Z][a-z]{2}\/\d{4}):(\d{2}):(\d{2}):(\d{2}) ([+-]\d{2})(\d{2})\]/;
/** A time that precedes a request. Tried first, because a user name before the time can look like a time. */
const TIME_OF_REQUEST = /\[(\d{2}\/[A-Z][a-z]{2}\/\d{4}):(\d{2}):(\d{2}):(\d{2}) ([+-]\d{2})(\d{2})\] "/;
const TIME_LENGTH = '[17/May/2015:10:05:03 +0000]'.length;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** Unquoted fields between the size and the first quoted field. */
const BARE_FIELDS = /^[^"]*/;
const STATUS_AND_SIZE = /[ \t]+(\d{3}|-)[ \t]+(\d+|-)(?:[ \t]|$)/y;

/**
 * Parses a line in the common or combined log format of Apache httpd and nginx, with or without a virtual host in front
 * (httpd.apache.org/docs/2.4/mod/mod_log_config.html). Runs in linear time.
 *
 * @param text line without its end, as Latin-1.
 * @param finished false for the last line of a log without a line feed. Its user agent may be cut, so it must have a
 * closing quote.
 */
export function parseLine(text: string, format: ApacheFormat = 'auto', finished = true): ParsedRequest {
  if (text.length > MAX_LINE_LENGTH) return { reason: `longer than ${MAX_LINE_LENGTH / 1_024} KiB` };
  const found = TIME_OF_REQUEST.exec(text) ?? TIME.exec(text);
  if (found === null) return { reason: 'no time such as [17/May/2015:10:05:03 +0000]' };
  const time = isoTime(found);
  if (time === null) return { reason: `no such time: ${found[0].slice(0, TIME_LENGTH)}` };
  const origin = readOrigin(text.slice(0, found.index), format);
  if (origin === null) return { reason: 'no client address before the time' };

  const request = readQuoted(text, found.index + TIME_LENGTH + 1);
  if (request === null) return { reason: 'no request in quotes behind the time' };
  if (hasSecondLine(text, found.index + TIME_LENGTH + 1)) {
    return { reason: 'two lines in one: the line feed between them is missing' };
  }
  const requestLine = readRequestLine(unescapeField(request.raw));
  if ('reason' in requestLine) return requestLine;
  STATUS_AND_SIZE.lastIndex = request.end;
  const numbers = STATUS_AND_SIZE.exec(text);
  if (numbers === null) return { reason: 'no status and size behind the request' };
  const fields = text.slice(STATUS_AND_SIZE.lastIndex).trim();
  const agent = readAgent(fields, format, finished);
  if ('reason' in agent) return agent;
  // Unless X-Forwarded-For has a separate field, it may be the second address, and the first one the client.
  if (origin.isAmbiguous && fields.split('" "').length < 3) {
    return { reason: 'two addresses in front of the time, and either can be the client' };
  }

  const host = origin.host ?? requestLine.host;
  return {
    line: {
      ...(host === undefined ? {} : { host }),
      client: origin.client,
      time,
      method: requestLine.method,
      path: requestLine.path,
      ...(numbers[1] === '-' ? {} : { status: Number(numbers[1]) }),
      ...(numbers[2] === '-' ? {} : { size: Number(numbers[2]) }),
      ...agent,
    },
  };
}

/** Returns true if the line contains another request. Visitors can't forge that, because servers escape quotes. */
function hasSecondLine(text: string, start: number): boolean {
  for (let at = text.indexOf('] "', start); at !== -1; at = text.indexOf('] "', at + 1)) {
    if (TIME_OF_REQUEST.test(text.slice(Math.max(start, at - TIME_LENGTH + 1), at + 3))) return true;
  }
  return false;
}

function isoTime([, day, hour, minute, second, hours, minutes]: RegExpExecArray): string | null {
  const date = isoDate(day!);
  if (date === null || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return null;
  if (Number(hours!.slice(1)) > 23 || Number(minutes) > 59) return null;
  // A leap second becomes the second before it, because JavaScript dates don't support leap seconds.
  const seconds = second === '60' ? '59' : second;
  return `${date}T${hour}:${minute}:${seconds}${hours}:${minutes}`;
}

/** Result of the last call. Most lines have the same day as the line before. */
let known: { day: string; date: string | null } = { day: '', date: null };

/** Converts `17/May/2015` to `2015-05-17`. Returns null if the day doesn't exist. */
export function isoDate(day: string): string | null {
  if (known.day === day) return known.date;
  const [number, monthName, year] = day.split('/') as [string, string, string];
  const month = MONTHS.indexOf(monthName);
  const exists =
    month !== -1 && new Date(Date.UTC(Number(year), month, Number(number))).getUTCDate() === Number(number);
  const date = exists ? `${year}-${String(month + 1).padStart(2, '0')}-${number}` : null;
  known = { day, date };
  return date;
}

interface Origin {
  host?: string;
  client: string;
  /** Set if the host may be the client instead. */
  isAmbiguous?: true;
}

/**
 * Reads `[host[:port]] client ident user`, or only the client. User names may contain spaces.
 *
 * If the client is a list from X-Forwarded-For, its last entry is used, because clients can forge all others.
 */
function readOrigin(text: string, format: ApacheFormat): Origin | null {
  const written = text.trim().split(/[ \t]+/);
  const [first = '', second] = written;
  // Fast path for nearly all lines.
  if (
    second === '-' &&
    written.length === 3 &&
    format !== 'vhost-combined' &&
    isIpAddress(first) &&
    isUsedAddress(first)
  )
    return { client: first };
  const fields = withoutEarlierClients(written);
  const hasHost = format === 'vhost-combined' || (format === 'auto' && looksLikeHost(fields));
  const client = clientIn(fields[hasHost ? 1 : 0] ?? '');
  if (client === null) return null;
  if (!canFollow(client, fields.slice(hasHost ? 2 : 1))) return null;
  const host = decodeBytes(fields[0]!).replace(/:(?:80|443)$/, '');
  const isHost = hasHost && !['-', '_', ''].includes(host) && (format !== 'auto' || isVirtualHost(fields[0]!));
  const isAmbiguous = hasHost && format === 'auto' && isIpAddress(fields[0]!);
  return { client, ...(isHost ? { host } : {}), ...(isAmbiguous ? { isAmbiguous } : {}) };
}

/** Removes all entries of an X-Forwarded-For list except the last. A virtual host may precede the list. */
function withoutEarlierClients(fields: string[]): string[] {
  const start = fields[0]!.endsWith(',') || ipAddressIn(fields[0]!) !== null ? 0 : 1;
  let end = start;
  while (fields[end]?.endsWith(',') === true) end += 1;
  return end === start ? fields : [...fields.slice(0, start), ...fields.slice(end)];
}

/**
 * Returns true if these fields can follow a client: nothing, or `ident user`.
 *
 * Strict rules prevent mistaking a prefix for the client. After a host name, only `-` and one word are accepted. A user
 * name with spaces also requires `-`, and none of its words may be an address.
 */
function canFollow(client: string, [ident, ...user]: string[]): boolean {
  if (!isIpAddress(client)) return ident === '-' && user.length === 1;
  if (user.length < 2) return ident === undefined || user.length === 1;
  return ident === '-' && user.every((word) => ipAddressIn(word) === null);
}

function looksLikeHost([first = '', second = '', third, fourth]: string[]): boolean {
  if (fourth === undefined) return false;
  if (ipAddressIn(second) !== null) return ['-', '_'].includes(first) || isHostWithPort(first);
  if (ipAddressIn(first) !== null && !/:\d+$/.test(first)) return false;
  return isHostWithPort(first) && clientIn(second) !== null && third === '-' && second !== '-';
}

/** Returns true for a host name, including non-ASCII ones, or an address. Both may have a port. */
function isHostWithPort(text: string): boolean {
  const name = text.replace(/:\d{1,5}$/, '');
  return isHostName(name) || ipAddressIn(name) !== null || decodeBytes(name) !== name;
}

/**
 * Returns true if the host in front of the client is a site. Names without a dot or port may be machines or containers.
 */
const isVirtualHost = (text: string): boolean =>
  (/[.:]/.test(text) || text === 'localhost') && !NAME_OF_FILE.test(text);
/** Name of a log file, which scripts can print in front of each line. */
const NAME_OF_FILE = /\.(?:log|gz|bz2|xz|zst|txt)$/i;

type Agent = Pick<LogLine, 'referer' | 'userAgent' | 'forwardedFor'>;

/**
 * Reads the fields after the size: unquoted fields such as a duration, the referer, the user agent, and possibly
 * X-Forwarded-For. Ignores all others.
 */
function readAgent(text: string, format: ApacheFormat, finished: boolean): Agent | { reason: string } {
  if (format === 'common') return text === '' ? {} : { reason: 'more fields than the common format has' };
  const start = format === 'auto' ? BARE_FIELDS.exec(text)![0].length : 0;
  if (format === 'auto' && start === text.length) return {};
  const referer = readQuoted(text, start);
  if (referer !== null && start > 0 && !/^\s+"/.test(text.slice(referer.end))) return onlyField(referer.raw);
  // Servers truncate long lines, so the last quote may be missing.
  const userAgent = referer && readQuoted(text, referer.end + 1, finished);
  if (!referer || !userAgent) return { reason: 'no referer and user agent in quotes at the end' };
  if (hasUnopenedQuote(text.slice(userAgent.end))) return { reason: 'a quote within the user agent is not escaped' };
  const forwarded = readQuoted(text, userAgent.end + 1)?.raw.trim() ?? '';
  const isSwapped = isUserAgent(referer.raw) && isReferer(userAgent.raw);
  if (!isSwapped && !isUserAgent(userAgent.raw) && hasUserAgent(text.slice(userAgent.end)))
    return { reason: 'other fields in quotes in front of the user agent' };
  return {
    ...field('referer', (isSwapped ? userAgent : referer).raw),
    ...field('userAgent', (isSwapped ? referer : userAgent).raw),
    ...(isForwardedFor(forwarded) ? { forwardedFor: forwarded } : {}),
  };
}

/**
 * A quote that closes a field. It's followed by a space or the end, and isn't preceded by a space or a name such as
 * `rt=`.
 */
const CLOSING_QUOTE = /[^\s=\\"]"(?=\s|$)/;
const UNESCAPED_QUOTE = /(?<!\\)"/g;
/**
 * Returns true if one of the fields after the user agent has a closing quote without an opening one. In that case, the
 * user agent contains an unescaped quote.
 *
 * A truncated field doesn't count, because it has only an opening quote.
 */
function hasUnopenedQuote(fields: string): boolean {
  const quotes = Array.from(fields.matchAll(UNESCAPED_QUOTE), ({ index }) => index);
  if (quotes.length % 2 === 0) return false;
  const last = quotes.at(-1)!;
  return CLOSING_QUOTE.test(fields.slice(Math.max(0, last - 1), last + 2));
}

const PRODUCTS = /\s"([\w.+-]+)\/\d/g;
/** Returns true if the fields contain a user agent. Protocols and ciphers look similar, so they're ignored. */
const hasUserAgent = (fields: string): boolean =>
  Array.from(fields.matchAll(PRODUCTS)).some(([, name]) => !/^(?:HTTP|TLS|SSL)/.test(name!));

const isUserAgent = (raw: string): boolean => /^[\w.+-]+\/\d/.test(raw);
/** Returns true for an absolute URL or a missing value. */
export const isReferer = (raw: string): boolean => isMissing(raw) || /^[\w-]+:\/\//.test(raw);

/** Reads the only quoted field, which is a referer or a user agent. */
function onlyField(raw: string): Agent | { reason: string } {
  if (isUserAgent(raw)) return field('userAgent', raw);
  if (isMissing(raw)) return {};
  return isReferer(raw) ? field('referer', raw) : { reason: 'no referer and user agent in quotes at the end' };
}

function field<K extends string>(name: K, raw: string): { [name in K]?: string } {
  return isMissing(raw) ? {} : ({ [name]: decodeBytes(unescapeField(raw)) } as { [name in K]: string });
}

/**
 * Returns true if the text looks like a value of X-Forwarded-For: a list with at least one address. Other entries may
 * be anything, because clients can send them.
 */
export const isForwardedFor = (text: string): boolean =>
  text !== '' && text.split(',').some((entry) => ipAddressIn(entry.trim()) !== null);
