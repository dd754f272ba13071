import { parseIpAddress, isHostName, isIpAddress } from './ip-address.js';
import { isLogName } from './log-name.js';
import { decodeUtf8, encodeUtf8 } from './quoted-field.js';

/** Rest of a line after one prefix was removed. */
export interface StrippedLine {
  text: string;
  /** Output stream, if a container runtime added the prefix. Runtimes split long lines into parts. */
  stream?: string;
  /** True if the stream's next text continues this line. */
  isPart?: boolean;
  /** True if the removed text could also be part of the line itself. */
  isGuess?: boolean;
}

const BYTE_ORDER_MARK = '\xef\xbb\xbf';
// oxlint-disable-next-line no-control-regex -- the escape character of terminals
const COLORS = /\x1b\[[\d;]*[A-Za-z]/g;
/** RFC 5424 header, as in `<134>1 2026-11-24T02:33:26.123Z host app 123 ID [structured data] message`. */
const RFC5424 = /^<\d{1,3}>1 \S+ \S+ \S+ \S+ \S+ /;

/** Time formats used by syslog, journalctl, container runtimes, CloudWatch and `ts`. */
const TIMES = [
  /^[A-Z][a-z][a-z] [ \d]\d (?:\d\d\d\d )?\d\d:\d\d:\d\d(?:\.\d+)?/,
  /^(?:[A-Z][a-z][a-z] )?\d\d\d\d[-/]\d\d[-/]\d\d[T _]\d\d:\d\d:\d\d(?:[.,]\d+)?(?: ?(?:[A-Z]+|[+-]\d\d:?\d\d))?/,
  /^\d\d:\d\d:\d\d(?:\.\d+)?/,
];
/** Unix time, or the uptime in seconds if it's in brackets. */
const SECONDS = /^ *(\d+)(\.\d+)?/;
/** Number of digits in Unix times in seconds, milliseconds, microseconds and nanoseconds. */
const EPOCH_DIGITS = new Set([10, 13, 16, 19]);
const TIME_START = /^(?:<\d+>|[[A-Z\d])/;
const TIME_END = /^\]?:?[ \t]+/;
/** Time from Caddy's console encoder. It isn't removed, because the entry may not contain another time. */
const CADDY_TIME = /^\d{4}\/[^\t]{1,30}\t/;
/** Container Runtime Interface (CRI) prefix such as `stdout F `. `P` instead of `F` marks a partial line. */
const STREAM = /^(stdout|stderr) ([FP])(?::[\w:]*)? /;
/** Syslog host and tag, such as `web-1 nginx[123]: ` or `app[web.1]: `. */
const TAG = /^(?:[^\s:[\]]+ |[\da-fA-F:.]+ )?[\w./@-]+(?:\[[^\]\s]*\])?:/;
/** Fluentd tag, or columns added by Papertrail, zap or promtail. */
const COLUMNS = /^(?:[\w./@-]+\t)+/;
/** Start of a JSON or quoted message. Unlike other messages, it may follow its prefix without a space. */
const MESSAGE_START = /^[[{"]/;

const PREFIXES: readonly [RegExp, string][] = [
  // Octet count (RFC 6587), and priority without a time.
  [/^\d{1,7} (?=<\d{1,3}>)/, ''],
  [/^<\d{1,3}>/, ''],
  [/^(?:stdout|stderr) F /, ''],
  // Loki labels.
  [/^\{(?:[\w.]+="(?:[^"\\]|\\.)*"(?:, ?[\w.]+="(?:[^"\\]|\\.)*")*)?\}[ \t]+/, ''],
  // multilog, Cloud Foundry and Fly.io.
  [/^@[\da-f]{24} /, ''],
  [/^(?:OUT|ERR) /, ''],
  [/^[\w-]+\[[\da-z]+\] [a-z]{3} \[/, '['],
  // OpenLiteSpeed's server log puts the virtual host in front of lines.
  [/^\["([\w.:-]+)"\] /, '$1 '],
  // `kubectl logs --prefix`, kubetail, and log levels.
  [/^\[[A-Za-z][\w./ -]*\] +/, ''],
  // `docker compose logs`, foreman, and pm2.
  [/^(?:\d+\|)?[\w.@-]+ *\| /, ''],
  // `uniq -c`, `nl` and `cat -n`.
  [/^ *\d{1,10}[ \t]+/, ''],
  // Tag without a host and time, such as `tag[123]: `.
  [/^[\w./@-]+\[\d+\]: /, ''],
  [/^[ \t]+/, ''],
];
const WITH_PORT = /[a-z]:\d+$/i;
/** Characters that can't be part of a file name in front of a line. */
const FILE_NAME_END = /[\s:"{}|<>[\]]/;
const REPEATED = /^message repeated \d+ times: \[ ?(.*)\]$/;
/**
 * `grep -n` line number in front of an IPv6 address, as in `12:2001:db8::7`. That text is a valid address itself, but
 * the first group of a visitor's address always has four digits and starts with 2 or 3.
 */
const NUMBERED_IPV6 = /^(\d{1,7}):(?=[23][\da-f]{3}:)/;

/**
 * Removes the first prefix that a logger, log collector or shell tool added. A line can have several prefixes, so the
 * result can start with another one.
 *
 * @param text Latin-1 string (one character per byte).
 * @returns null if the text doesn't start with a prefix.
 */
export function stripPrefix(text: string): StrippedLine | null {
  if (text.startsWith(BYTE_ORDER_MARK)) return { text: text.slice(BYTE_ORDER_MARK.length) };
  if (text.includes('\x1b')) {
    const plain = text.replaceAll(COLORS, '');
    if (plain !== text) return { text: plain };
  }
  const syslog = text.startsWith('<') ? RFC5424.exec(text) : null;
  if (syslog !== null) return { text: message5424(text, syslog[0].length) };
  const message = stripTime(text);
  if (message !== null) return stripSender(message);
  if (text.startsWith('"')) return { text: stripQuotes(text) };
  const repeated = REPEATED.exec(text);
  if (repeated !== null) return { text: repeated[1]! };
  for (const [pattern, replacement] of PREFIXES) {
    const rest = text.replace(pattern, replacement);
    if (rest !== text) return { text: rest };
  }
  return stripLogName(text) ?? stripContainer(text) ?? stripFileName(text);
}

/** Removes a tag such as `web.access`, which Fluentd and Fluent Bit can print in front of each line. */
function stripLogName(text: string): StrippedLine | null {
  const [tag = '', name = ''] = /^([\w./-]+):?[ \t]+/.exec(text) ?? [];
  const message = text.slice(tag.length);
  return isLogName(name) && !message.startsWith('-') ? { text: message } : null;
}

/** Removes the pod and container names added by stern. */
function stripContainer(text: string): StrippedLine | null {
  const names = /^[a-z\d][\w.-]* [a-z\d][\w.-]* /.exec(text)?.[0] ?? '';
  const message = text.slice(names.length);
  const isMessage = MESSAGE_START.test(message) || parseIpAddress(message.split(' ', 1)[0]!) !== null;
  const hasAddress = names.split(' ').some((name) => isIpAddress(name));
  return names !== '' && isMessage && !hasAddress ? { text: message } : null;
}

/**
 * Removes a file name or line number added by grep, such as `access.log:` or `12:` before matching lines, or
 * `access.log-12-` before context lines.
 */
function stripFileName(text: string): StrippedLine | null {
  const word = text.slice(0, Math.max(0, text.indexOf(' ')));
  const hyphen = word.lastIndexOf('-');
  if (hyphen > 0 && parseIpAddress(word.slice(hyphen + 1)) !== null)
    return { text: text.slice(hyphen + 1), isGuess: true };
  // Skip a Windows drive letter, because its colon doesn't end the name.
  const start = /^[A-Za-z]:\\/.test(text) ? 2 : 0;
  const length = text.slice(start).search(FILE_NAME_END);
  const end = start + length;
  if (length <= 0 || isIpAddress(text.slice(0, end))) return null;
  if (text[end] === '{' && text[end - 1] === '-') return { text: text.slice(end), isGuess: true };
  if (text[end] !== ':' || isGroup(text.slice(0, end), word.slice(end + 1))) return null;
  return { text: text.slice(end + 1).trimStart(), isGuess: true };
}

/** Returns true if the text could be the first group of an IPv6 address, even of an invalid one. */
const isGroup = (text: string, rest: string): boolean => /^[\da-f]{1,4}$/i.test(text) && /^[\da-f:]+$/i.test(rest);

/**
 * Returns the line number that grep added in front of a client's IPv6 address, or null if there is none.
 *
 * @param last Number of an earlier line, or 0 if unknown. Numbers from 2000 to 3999 can also be part of an address, so
 * they are only accepted if they follow a lower number.
 */
export function parseLineNumber(text: string, last: number): number | null {
  const found = NUMBERED_IPV6.exec(text);
  if (found === null) return null;
  const number = Number(found[1]);
  const isGroup = found[1]!.length === 4 && number >= 2_000 && number < 4_000;
  return isGroup && (last === 0 || number <= last) ? null : number;
}

/**
 * Returns the text after a leading time, or null if there is none. The time can be in brackets, and a syslog priority
 * can precede it.
 */
function stripTime(text: string): string | null {
  if (!TIME_START.test(text) || CADDY_TIME.test(text)) return null;
  const priority = text.startsWith('<') ? text.indexOf('>') + 1 : 0;
  const isBracketed = text[priority] === '[';
  const rest = text.slice(isBracketed ? priority + 1 : priority);
  const length = timeLength(rest) || secondsLength(rest, isBracketed);
  if (length === 0) return null;
  const behind = rest.slice(length);
  const end = TIME_END.exec(behind)?.[0];
  return end === undefined ? null : behind.slice(end.length);
}

function timeLength(text: string): number {
  for (const time of TIMES) {
    const found = time.exec(text);
    if (found !== null) return found[0].length;
  }
  return 0;
}

function secondsLength(text: string, isBracketed: boolean): number {
  const [time = '', seconds = '', fraction] = SECONDS.exec(text) ?? [];
  const isTime = isBracketed
    ? fraction !== undefined
    : EPOCH_DIGITS.has(seconds.length) && (seconds.length === 10 || !fraction);
  return isTime ? time.length : 0;
}

function stripSender(text: string): StrippedLine {
  const stream = STREAM.exec(text);
  if (stream !== null) {
    return { text: text.slice(stream[0].length), stream: stream[1]!, isPart: stream[2] === 'P' };
  }
  const columns = COLUMNS.exec(text);
  if (columns !== null) return { text: text.slice(columns[0].length) };
  const tag = TAG.exec(text)?.[0] ?? '';
  const message = text.slice(tag.length);
  if (tag !== '' && message.startsWith(' ')) return { text: message.slice(1) };
  return { text: tag !== '' && MESSAGE_START.test(message) ? message : stripHost(text) };
}

/**
 * Removes the host or stream in front of a message without a tag. Only does so if a JSON or quoted message, a client, or
 * a virtual host with a client follows.
 */
function stripHost(text: string): string {
  const [first = '', second = '', third = ''] = text.split(' ', 3);
  const isSender =
    MESSAGE_START.test(second) ||
    (parseIpAddress(second) !== null && !WITH_PORT.test(first)) ||
    (parseIpAddress(first) === null && isHostName(second.replace(/:\d+$/, '')) && parseIpAddress(third) !== null);
  return isSender && !MESSAGE_START.test(first) ? text.slice(first.length + 1) : text;
}

/**
 * Removes the quotes around a line. OpenLiteSpeed doesn't escape quotes inside the line. Other loggers write JSON
 * strings.
 */
function stripQuotes(text: string): string {
  try {
    const value: unknown = JSON.parse(decodeUtf8(text));
    if (typeof value === 'string') return encodeUtf8(value);
  } catch {
    // Not a JSON string.
  }
  return text.slice(1, text.length > 1 && text.endsWith('"') ? -1 : undefined);
}

/** Skips RFC 5424 structured data, which is `-` or `[id name="value" …]…`. Values can contain `\]` and `\"`. */
function message5424(text: string, start: number): string {
  let at = start;
  if (text[at] === '-') at += 1;
  let isQuoted = false;
  while (text[at] === '[' || isQuoted) {
    for (; at < text.length; at += 1) {
      if (text[at] === '\\') at += 1;
      else if (text[at] === '"') isQuoted = !isQuoted;
      else if (text[at] === ']' && !isQuoted) break;
    }
    at += 1;
    isQuoted = false;
  }
  return text.slice(text[at] === ' ' ? at + 1 : at);
}
