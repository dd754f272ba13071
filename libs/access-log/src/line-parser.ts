import { parseClient, parseIpAddress, isHostName, isIpAddress, isVisitorAddress } from './ip-address.js';
import { MAX_LINE_LENGTH } from './limits.js';
import type { LogLine, ParsedRequest } from './log-line.js';
import { isLogName } from './log-name.js';
import { decodeUtf8, isMissing, readQuoted, unescapeField } from './quoted-field.js';
import { readRequestLine } from './request-line.js';

export const APACHE_FORMATS = ['auto', 'common', 'combined', 'vhost-combined'] as const;
export type ApacheFormat = (typeof APACHE_FORMATS)[number];

const TIME = /\[(\d{2}\/[A-Z][a-z]{2}\/\d{4}):(\d{2}):(\d{2}):(\d{2}) ([+-]\d{2})(\d{2})\]/;
/**
 * Timestamp followed by a request. This pattern is tried before {@link TIME}, because the user name that precedes the
 * timestamp can look like a timestamp, too.
 */
const REQUEST_TIME = /\[(\d{2}\/[A-Z][a-z]{2}\/\d{4}):(\d{2}):(\d{2}):(\d{2}) ([+-]\d{2})(\d{2})\] "/;
const TIME_LENGTH = '[17/May/2015:10:05:03 +0000]'.length;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const STATUS_AND_SIZE = /[ \t]+(\d{3}|-)[ \t]+(\d+|-)(?:[ \t]|$)/y;

/**
 * Parses a line in the common or combined log format used by Apache httpd and nginx, optionally with a virtual host in
 * front (httpd.apache.org/docs/2.4/mod/mod_log_config.html). Runs in linear time.
 *
 * @param text Line without its line ending, as a Latin-1 string.
 * @param finished False for a last line that doesn't end in a line feed. Its user agent may be truncated, so the closing
 * quote is required.
 */
export function parseLine(text: string, format: ApacheFormat = 'auto', finished = true): ParsedRequest {
  if (text.length > MAX_LINE_LENGTH) return { reason: `longer than ${MAX_LINE_LENGTH / 1_024} KiB` };
  const found = REQUEST_TIME.exec(text) ?? TIME.exec(text);
  if (found === null) return { reason: 'no timestamp such as [17/May/2015:10:05:03 +0000]' };
  const time = isoTime(found);
  if (time === null) return { reason: `invalid timestamp: ${found[0].slice(0, TIME_LENGTH)}` };
  const origin = readOrigin(text.slice(0, found.index), format);
  if (origin === null) return { reason: 'no client address before the timestamp' };

  const request = readQuoted(text, found.index + TIME_LENGTH + 1);
  if (request === null) return { reason: 'no quoted request after the timestamp' };
  if (hasSecondLine(text, found.index + TIME_LENGTH + 1)) {
    return { reason: 'two lines in one: the line feed between them is missing' };
  }
  const requestLine = readRequestLine(unescapeField(request.raw));
  if ('reason' in requestLine) return requestLine;
  STATUS_AND_SIZE.lastIndex = request.end;
  const numbers = STATUS_AND_SIZE.exec(text);
  if (numbers === null) return { reason: 'no status and size after the request' };
  const fields = text.slice(STATUS_AND_SIZE.lastIndex).trim();
  const agent = readAgent(fields, format, finished);
  if ('reason' in agent) return agent;
  // The first address may be the site's, followed by the client's. It may also be the client's, followed by an
  // X-Forwarded-For value. A separate X-Forwarded-For field rules out the second case.
  if (origin.isAmbiguous && fields.split('" "').length < 3) {
    return { reason: 'two addresses before the timestamp, and either could be the client' };
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

/**
 * Returns true if the text contains another timestamp and request, so two lines were joined. Visitors can't forge this,
 * because servers escape the quote before the request.
 */
function hasSecondLine(text: string, start: number): boolean {
  for (let at = text.indexOf('] "', start); at !== -1; at = text.indexOf('] "', at + 1)) {
    if (REQUEST_TIME.test(text.slice(Math.max(start, at - TIME_LENGTH + 1), at + 3))) return true;
  }
  return false;
}

function isoTime([, day, hour, minute, second, hours, minutes]: RegExpExecArray): string | null {
  const date = isoDate(day!);
  if (date === null || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return null;
  if (Number(hours!.slice(1)) > 23 || Number(minutes) > 59) return null;
  // Round leap seconds down, because JavaScript dates don't support them.
  const seconds = second === '60' ? '59' : second;
  return `${date}T${hour}:${minute}:${seconds}${hours}:${minutes}`;
}

/** Result of the last call. Consecutive lines usually have the same day. */
let lastDay: { day: string; date: string | null } = { day: '', date: null };

/** Converts `17/May/2015` to `2015-05-17`. Returns null if the day doesn't exist. */
export function isoDate(day: string): string | null {
  if (lastDay.day === day) return lastDay.date;
  const [number, monthName, year] = day.split('/') as [string, string, string];
  const month = MONTHS.indexOf(monthName);
  const exists =
    month !== -1 && new Date(Date.UTC(Number(year), month, Number(number))).getUTCDate() === Number(number);
  const date = exists ? `${year}-${String(month + 1).padStart(2, '0')}-${number}` : null;
  lastDay = { day, date };
  return date;
}

interface Origin {
  host?: string;
  client: string;
  /** True if the host could be the client instead. */
  isAmbiguous?: true;
}

/**
 * Parses `[host[:port]] client ident user`, `client host[:port] user` (lighttpd), or only the client. User names can
 * contain spaces.
 *
 * If the client is an X-Forwarded-For list, the last entry is used, because clients can forge all others.
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
    isVisitorAddress(first)
  )
    return { client: first };
  const fields = dropEarlierClients(written);
  const hasHost = format === 'vhost-combined' || (format === 'auto' && looksLikeHost(fields));
  const client = parseClient(fields[hasHost ? 1 : 0] ?? '');
  if (client === null) return null;
  if (!canFollow(client, fields.slice(hasHost ? 2 : 1))) return null;
  const hostField = hasHost ? fields[0]! : readLighttpdHost(fields);
  const host = hostField === null ? '' : decodeUtf8(hostField).replace(/:(?:80|443)$/, '');
  const isHost = !['-', '_', ''].includes(host) && (format !== 'auto' || isVirtualHost(hostField!));
  const isAmbiguous = hasHost && format === 'auto' && isIpAddress(fields[0]!);
  return { client, ...(isHost ? { host } : {}), ...(isAmbiguous ? { isAmbiguous } : {}) };
}

/** Removes all entries except the last from an X-Forwarded-For list. A virtual host can precede the list. */
function dropEarlierClients(fields: string[]): string[] {
  const start = fields[0]!.endsWith(',') || parseIpAddress(fields[0]!) !== null ? 0 : 1;
  let end = start;
  while (fields[end]?.endsWith(',') === true) end += 1;
  return end === start ? fields : [...fields.slice(0, start), ...fields.slice(end)];
}

/**
 * Returns true if `ident user` or an empty list follows the client.
 *
 * Strict rules prevent a prefix from being mistaken for the client. After a host name, only `-` and a single word are
 * accepted. A user name with spaces also requires `-`, and its words can't be addresses.
 */
function canFollow(client: string, [ident, ...user]: string[]): boolean {
  if (!isIpAddress(client)) return ident === '-' && user.length === 1;
  if (user.length < 2) return ident === undefined || user.length === 1;
  return ident === '-' && user.every((word) => parseIpAddress(word) === null);
}

/**
 * Returns the host that lighttpd logs instead of the ident, or null if the line doesn't contain one. Apache and nginx log
 * `-` there.
 */
const readLighttpdHost = ([client = '', host = '', ...user]: string[]): string | null =>
  user.length === 1 &&
  isIpAddress(client) &&
  host !== 'localhost' &&
  isVirtualHost(host) &&
  isHostName(host.replace(/:\d{1,5}$/, ''))
    ? host
    : null;

function looksLikeHost([first = '', second = '', third, fourth]: string[]): boolean {
  if (fourth === undefined) return false;
  if (parseIpAddress(second) !== null) return ['-', '_'].includes(first) || isHostWithPort(first);
  if (parseIpAddress(first) !== null && !/:\d+$/.test(first)) return false;
  return isHostWithPort(first) && parseClient(second) !== null && third === '-' && second !== '-';
}

/** Returns true for a host name (possibly non-ASCII) or an address, both with or without a port. */
function isHostWithPort(text: string): boolean {
  const name = text.replace(/:\d{1,5}$/, '');
  return isHostName(name) || parseIpAddress(name) !== null || decodeUtf8(name) !== name;
}

/**
 * Returns true if the host in front of the client is a site. Names without a dot or port could be machines or containers.
 */
const isVirtualHost = (text: string): boolean => (/[.:]/.test(text) || text === 'localhost') && !isLogName(text);

type Agent = Pick<LogLine, 'referer' | 'userAgent' | 'forwardedFor'>;

/**
 * Parses the fields after the size: optional unquoted fields such as a duration, then the referer, the user agent and
 * optionally X-Forwarded-For. Ignores all other fields.
 */
function readAgent(text: string, format: ApacheFormat, finished: boolean): Agent | { reason: string } {
  if (format === 'common') return text === '' ? {} : { reason: 'too many fields for the common format' };
  // Unquoted fields can precede the first quoted field.
  const start = format === 'auto' ? text.indexOf('"') : 0;
  if (start === -1) return {};
  const referer = readQuoted(text, start);
  if (referer !== null && start > 0 && !/^\s+"/.test(text.slice(referer.end))) return singleField(referer.raw);
  // Servers truncate long lines, so the closing quote may be missing.
  const userAgent = referer && readQuoted(text, referer.end + 1, finished);
  if (!referer || !userAgent) return { reason: 'no quoted referer and user agent at the end' };
  if (hasUnopenedQuote(text.slice(userAgent.end))) return { reason: 'the user agent contains an unescaped quote' };
  const forwarded = readQuoted(text, userAgent.end + 1)?.raw.trim() ?? '';
  const isSwapped = isUserAgent(referer.raw) && isReferer(userAgent.raw);
  if (!isSwapped && !isUserAgent(userAgent.raw) && hasUserAgent(text.slice(userAgent.end)))
    return { reason: 'other quoted fields before the user agent' };
  return {
    ...field('referer', (isSwapped ? userAgent : referer).raw),
    ...field('userAgent', (isSwapped ? referer : userAgent).raw),
    ...(isForwardedFor(forwarded) ? { forwardedFor: forwarded } : {}),
  };
}

/**
 * Matches a quote that closes a field. It's followed by a space or the end of the text, and it isn't preceded by a space
 * or a name such as `rt=`.
 */
const CLOSING_QUOTE = /[^\s=\\"]"(?=\s|$)/;
const UNESCAPED_QUOTE = /(?<!\\)"/g;
/**
 * Returns true if the text after the user agent contains a closing quote without an opening one. In that case, the user
 * agent contains an unescaped quote.
 *
 * A truncated field doesn't count, because only its closing quote is missing.
 */
function hasUnopenedQuote(fields: string): boolean {
  if (fields === '') return false;
  const quotes = Array.from(fields.matchAll(UNESCAPED_QUOTE), ({ index }) => index);
  if (quotes.length % 2 === 0) return false;
  const last = quotes.at(-1)!;
  return CLOSING_QUOTE.test(fields.slice(Math.max(0, last - 1), last + 2));
}

const PRODUCTS = /\s"([\w.+-]+)\/\d/g;
/** Returns true if a field looks like a user agent. Ignores protocols and ciphers, which look similar. */
const hasUserAgent = (fields: string): boolean =>
  Array.from(fields.matchAll(PRODUCTS)).some(([, name]) => !/^(?:HTTP|TLS|SSL)/.test(name!));

const isUserAgent = (raw: string): boolean => /^[\w.+-]+\/\d/.test(raw);
/** Returns true for an absolute URL or a missing value. */
export const isReferer = (raw: string): boolean => isMissing(raw) || /^[\w-]+:\/\//.test(raw);

/** Parses the last quoted field of a line that has only one. It can be the referer or the user agent. */
function singleField(raw: string): Agent | { reason: string } {
  if (isUserAgent(raw)) return field('userAgent', raw);
  if (isMissing(raw)) return {};
  return isReferer(raw) ? field('referer', raw) : { reason: 'no quoted referer and user agent at the end' };
}

function field<K extends string>(name: K, raw: string): { [name in K]?: string } {
  return isMissing(raw) ? {} : ({ [name]: decodeUtf8(unescapeField(raw)) } as { [name in K]: string });
}

/**
 * Returns true if the text looks like an X-Forwarded-For value, which is a list with at least one address. The other
 * entries can be anything, because clients control them.
 */
export const isForwardedFor = (text: string): boolean =>
  text !== '' && text.split(',').some((entry) => parseIpAddress(entry.trim()) !== null);
