import { ipAddressIn, isHostName, isIpAddress } from './ip-address.js';
import { decodeBytes, utf8Bytes } from './quoted-field.js';

/** A line with one prefix removed. */
export interface Peeled {
  text: string;
  /** Output stream, if the prefix is from a container runtime. Runtimes split long lines into parts. */
  stream?: string;
  /** Set if the next text of the stream continues this line. */
  isPart?: boolean;
  /** Set if the removed text could also be the start of the line. */
  isGuess?: boolean;
}

const BYTE_ORDER_MARK = '\xef\xbb\xbf';
// oxlint-disable-next-line no-control-regex -- the escape character of terminals
const COLORS = /\x1b\[[\d;]*[A-Za-z]/g;
/** RFC 5424: `<134>1 2026-11-24T02:33:26.123Z host app 123 ID [structured data] message`. */
const RFC5424 = /^<\d{1,3}>1 \S+ \S+ \S+ \S+ \S+ /;

/** Time formats of syslog, journalctl, container runtimes, CloudWatch and `ts`. */
const TIMES = [
  /^[A-Z][a-z][a-z] [ \d]\d (?:\d\d\d\d )?\d\d:\d\d:\d\d(?:\.\d+)?/,
  /^(?:[A-Z][a-z][a-z] )?\d\d\d\d[-/]\d\d[-/]\d\d[T _]\d\d:\d\d:\d\d(?:[.,]\d+)?(?: ?(?:[A-Z]+|[+-]\d\d:?\d\d))?/,
  /^\d\d:\d\d:\d\d(?:\.\d+)?/,
];
/** Unix time, or uptime in seconds if it's in brackets. */
const SECONDS = /^ *(\d+)(\.\d+)?/;
/** Number of digits in Unix times: seconds, milliseconds, microseconds and nanoseconds. */
const EPOCH_DIGITS = new Set([10, 13, 16, 19]);
const TIME_START = /^(?:<\d+>|[[A-Z\d])/;
const TIME_END = /^\]?:?[ \t]+/;
/** Time from Caddy's console encoder. It isn't removed, because the entry has no other time. */
const CADDY_TIME = /^\d{4}\/[^\t]{1,30}\t/;
/** `stdout F ` from the container runtime interface (CRI). `P` marks a part of a line. */
const STREAM = /^(stdout|stderr) ([FP])(?::[\w:]*)? /;
/** Host and tag from syslog: `web-1 nginx[123]: `, `app[web.1]: `. */
const TAG = /^(?:[^\s:[\]]+ |[\da-fA-F:.]+ )?[\w./@-]+(?:\[[^\]\s]*\])?:/;
/** Fluentd tag, or columns from Papertrail, zap and promtail. */
const COLUMNS = /^(?:[\w./@-]+\t)+/;
/** Start of a message that isn't separated from its prefix by a space. */
const MESSAGE_START = /^[[{"]/;

const PREFIXES: readonly [RegExp, string][] = [
  // Octet count (RFC 6587), and a priority without a time.
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
  // `tag[123]: `
  [/^[\w./@-]+\[\d+\]: /, ''],
  [/^[ \t]+/, ''],
];
/** A virtual host with its port. */
const WITH_PORT = /[a-z]:\d+$/i;
/** Characters that end a file name in front of a line. */
const FILE_NAME_END = /[\s:"{}|<>[\]]/;
const REPEATED = /^message repeated \d+ times: \[ ?(.*)\]$/;
/**
 * Line number from `grep -n` before an IPv6 address. `12:2001:db8::7` is ambiguous, because it's also a valid address.
 * Visitors' addresses start with 2 or 3, and their first group has four digits.
 */
const NUMBERED_IPV6 = /^(\d{1,7}):(?=[23][\da-f]{3}:)/;

/**
 * Removes the first prefix that a logger, log collector or shell tool added. A line can have several prefixes, so the
 * result isn't always a log line.
 *
 * @param text one character per byte.
 * @returns null if the text has no prefix.
 */
export function peeled(text: string): Peeled | null {
  if (text.startsWith(BYTE_ORDER_MARK)) return { text: text.slice(BYTE_ORDER_MARK.length) };
  if (text.includes('\x1b')) {
    const plain = text.replaceAll(COLORS, '');
    if (plain !== text) return { text: plain };
  }
  const syslog = text.startsWith('<') ? RFC5424.exec(text) : null;
  if (syslog !== null) return { text: message5424(text, syslog[0].length) };
  const message = withoutTime(text);
  if (message !== null) return behindTime(message);
  if (text.startsWith('"')) return { text: unquoted(text) };
  const repeated = REPEATED.exec(text);
  if (repeated !== null) return { text: repeated[1]! };
  for (const [pattern, replacement] of PREFIXES) {
    const rest = text.replace(pattern, replacement);
    if (rest !== text) return { text: rest };
  }
  return withoutContainer(text) ?? withoutFileName(text);
}

/** Removes the pod and container names that stern adds. */
function withoutContainer(text: string): Peeled | null {
  const names = /^[a-z\d][\w.-]* [a-z\d][\w.-]* /.exec(text)?.[0] ?? '';
  const message = text.slice(names.length);
  const isMessage = MESSAGE_START.test(message) || ipAddressIn(message.split(' ', 1)[0]!) !== null;
  const hasAddress = names.split(' ').some((name) => isIpAddress(name));
  return names !== '' && isMessage && !hasAddress ? { text: message } : null;
}

/**
 * Removes a file name or line number that grep added: `access.log:` and `12:` before matches, `access.log-12-` before
 * context lines.
 */
function withoutFileName(text: string): Peeled | null {
  const word = text.slice(0, Math.max(0, text.indexOf(' ')));
  const hyphen = word.lastIndexOf('-');
  if (hyphen > 0 && ipAddressIn(word.slice(hyphen + 1)) !== null)
    return { text: text.slice(hyphen + 1), isGuess: true };
  // Windows drive.
  const start = /^[A-Za-z]:\\/.test(text) ? 2 : 0;
  const length = text.slice(start).search(FILE_NAME_END);
  const end = start + length;
  if (length <= 0 || isIpAddress(text.slice(0, end))) return null;
  if (text[end] === '{' && text[end - 1] === '-') return { text: text.slice(end), isGuess: true };
  if (text[end] !== ':' || isGroup(text.slice(0, end), word.slice(end + 1))) return null;
  return { text: text.slice(end + 1).trimStart(), isGuess: true };
}

/** Returns true if the text could be the first group of an IPv6 address, even an invalid one. */
const isGroup = (text: string, rest: string): boolean => /^[\da-f]{1,4}$/i.test(text) && /^[\da-f:]+$/i.test(rest);

/**
 * Returns the line number that grep added in front of a client's IPv6 address, or null if there is none.
 *
 * @param last line number of an earlier line, or 0 if unknown. Numbers from 2000 to 3999 can also be part of an
 * address, so they're only accepted if they follow a lower number.
 */
export function lineNumberOf(text: string, last: number): number | null {
  const found = NUMBERED_IPV6.exec(text);
  if (found === null) return null;
  const number = Number(found[1]);
  const isGroup = found[1]!.length === 4 && number >= 2_000 && number < 4_000;
  return isGroup && (last === 0 || number <= last) ? null : number;
}

/**
 * Returns the text after a time, or null if it doesn't start with one. The time may be in brackets or have a syslog
 * priority in front.
 */
function withoutTime(text: string): string | null {
  if (!TIME_START.test(text) || CADDY_TIME.test(text)) return null;
  const priority = text.startsWith('<') ? text.indexOf('>') + 1 : 0;
  const isBracketed = text[priority] === '[';
  const rest = text.slice(isBracketed ? priority + 1 : priority);
  const length = lengthOfTime(rest) || lengthOfSeconds(rest, isBracketed);
  if (length === 0) return null;
  const behind = rest.slice(length);
  const end = TIME_END.exec(behind)?.[0];
  return end === undefined ? null : behind.slice(end.length);
}

function lengthOfTime(text: string): number {
  for (const time of TIMES) {
    const found = time.exec(text);
    if (found !== null) return found[0].length;
  }
  return 0;
}

function lengthOfSeconds(text: string, isBracketed: boolean): number {
  const [time = '', seconds = '', fraction] = SECONDS.exec(text) ?? [];
  const isTime = isBracketed
    ? fraction !== undefined
    : EPOCH_DIGITS.has(seconds.length) && (seconds.length === 10 || !fraction);
  return isTime ? time.length : 0;
}

function behindTime(text: string): Peeled {
  const stream = STREAM.exec(text);
  if (stream !== null) {
    return { text: text.slice(stream[0].length), stream: stream[1]!, isPart: stream[2] === 'P' };
  }
  const columns = COLUMNS.exec(text);
  if (columns !== null) return { text: text.slice(columns[0].length) };
  const tag = TAG.exec(text)?.[0] ?? '';
  const message = text.slice(tag.length);
  if (tag !== '' && message.startsWith(' ')) return { text: message.slice(1) };
  return { text: tag !== '' && MESSAGE_START.test(message) ? message : withoutSender(text) };
}

/**
 * Removes the host or stream in front of a message without a tag, if a JSON or quoted message, a client, or a virtual
 * host and a client follow.
 */
function withoutSender(text: string): string {
  const [first = '', second = '', third = ''] = text.split(' ', 3);
  const isSender =
    MESSAGE_START.test(second) ||
    (ipAddressIn(second) !== null && !WITH_PORT.test(first)) ||
    (ipAddressIn(first) === null && isHostName(second.replace(/:\d+$/, '')) && ipAddressIn(third) !== null);
  return isSender && !MESSAGE_START.test(first) ? text.slice(first.length + 1) : text;
}

/**
 * Removes the quotes around a line. OpenLiteSpeed doesn't escape quotes inside the line. Others write a JSON string.
 */
function unquoted(text: string): string {
  try {
    const value: unknown = JSON.parse(decodeBytes(text));
    if (typeof value === 'string') return utf8Bytes(value);
  } catch {
    // Not a JSON string.
  }
  return text.slice(1, text.length > 1 && text.endsWith('"') ? -1 : undefined);
}

/** Skips the structured data of RFC 5424: `-` or `[id name="value" …]…`. Values may contain `\]` and `\"`. */
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
