import { isIpAddress } from './ip-address.js';
import { MAX_LINE_LENGTH } from './limits.js';
import type { LogLine, ParsedRequest } from './log-line.js';
import { decodeBytes, readQuoted, unescapeField } from './quoted-field.js';
import { readRequestLine } from './request-line.js';

export const APACHE_FORMATS = ['auto', 'common', 'combined', 'vhost-combined'] as const;
export type ApacheFormat = (typeof APACHE_FORMATS)[number];

const TIME = /\[(\d{2}\/[A-Z][a-z]{2}\/\d{4}):(\d{2}):(\d{2}):(\d{2}) ([+-]\d{2})(\d{2})\]/;
/** Before a request: what a visitor calls itself, which stands in front of the time, can look like one. */
const TIME_OF_REQUEST = /\[(\d{2}\/[A-Z][a-z]{2}\/\d{4}):(\d{2}):(\d{2}):(\d{2}) ([+-]\d{2})(\d{2})\] "/;
const TIME_LENGTH = '[17/May/2015:10:05:03 +0000]'.length;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** An address, a host name, or `unix:`. */
const CLIENT = /^[\w.:%-]+$/;
const STATUS_AND_SIZE = /[ \t]+(\d{3}|-)[ \t]+(\d+|-)(?:[ \t]|$)/y;

/**
 * Parses a line of the common or combined log format of Apache httpd and nginx
 * (httpd.apache.org/docs/2.4/mod/mod_log_config.html), each with or without the virtual host in front.
 * Takes time linear in the line's length.
 *
 * @param text the line's bytes as latin1, without its end.
 * @param finished false for the end of a log that no line feed ends: what may be half a user agent isn't read then.
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
  const requestLine = readRequestLine(unescapeField(request.raw));
  if ('reason' in requestLine) return requestLine;
  STATUS_AND_SIZE.lastIndex = request.end;
  const numbers = STATUS_AND_SIZE.exec(text);
  if (numbers === null) return { reason: 'no status and size behind the request' };
  const agent = readAgent(text.slice(STATUS_AND_SIZE.lastIndex).trim(), format, finished);
  if ('reason' in agent) return agent;

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

function isoTime([, day, hour, minute, second, hours, minutes]: RegExpExecArray): string | null {
  const date = isoDate(day!);
  if (date === null || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return null;
  if (Number(hours!.slice(1)) > 23 || Number(minutes) > 59) return null;
  // A leap second is taken as the one before it, as the service's clock has none.
  const seconds = second === '60' ? '59' : second;
  return `${date}T${hour}:${minute}:${seconds}${hours}:${minutes}`;
}

/** The day that was asked for last: a log's lines have few. */
let known: { day: string; date: string | null } = { day: '', date: null };

/** Turns `17/May/2015` into `2015-05-17`; null when there is no such day. */
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

/**
 * Reads `[host[:port]] client ident user`. A user's name may hold spaces. Where X-Forwarded-For is logged as the client, it can be a
 * list: its last entry is taken, as a client can write all others.
 */
function readOrigin(text: string, format: ApacheFormat): { host?: string; client: string } | null {
  const fields = text
    .trim()
    .split(/[ \t]+/)
    .filter((field) => !(field.endsWith(',') && isIpAddress(field.slice(0, -1))));
  const hasHost = format === 'vhost-combined' || (format === 'auto' && looksLikeHost(fields));
  const client = fields[hasHost ? 1 : 0];
  if (client === undefined || fields.length < (hasHost ? 4 : 3) || client === '-' || !CLIENT.test(client)) return null;
  const host = decodeBytes(fields[0]!).replace(/:(?:80|443)$/, '');
  return { client, ...(hasHost && !['-', '_', ''].includes(host) ? { host } : {}) };
}

function looksLikeHost([first = '', second = '', third, fourth]: string[]): boolean {
  if (fourth === undefined) return false;
  if (isIpAddress(second)) return true;
  if (isIpAddress(first)) return false;
  return /:\d+$/.test(first) || (second !== '-' && third === '-');
}

type Agent = Pick<LogLine, 'referer' | 'userAgent' | 'forwardedFor'>;

/** Reads what follows the size: nothing, or referer, user agent and perhaps X-Forwarded-For; more is passed over. */
function readAgent(text: string, format: ApacheFormat, finished: boolean): Agent | { reason: string } {
  if (format === 'common') return text === '' ? {} : { reason: 'more fields than the common format has' };
  if (format === 'auto' && !text.startsWith('"')) return {};
  const referer = readQuoted(text, 0);
  // Servers cut a long line short, so that the last quote is missing.
  const userAgent = referer && readQuoted(text, referer.end + 1, finished);
  if (!referer || !userAgent) return { reason: 'no referer and user agent in quotes at the end' };
  const forwarded = readQuoted(text, userAgent.end + 1)?.raw.trim() ?? '';
  return {
    ...field('referer', referer.raw),
    ...field('userAgent', userAgent.raw),
    ...(isAddressList(forwarded) ? { forwardedFor: forwarded } : {}),
  };
}

function field<K extends string>(name: K, raw: string): { [name in K]?: string } {
  return raw === '-' || raw === '' ? {} : ({ [name]: decodeBytes(unescapeField(raw)) } as { [name in K]: string });
}

/** Whether the text is `address, address, …`. */
export const isAddressList = (text: string): boolean => text.split(/, ?/).every(isIpAddress);
