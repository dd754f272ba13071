import { ipAddressIn, isHostName, isIpAddress } from './ip-address.js';
import { decodeBytes, utf8Bytes } from './quoted-field.js';

/** A line without one of the prefixes that loggers and shell tools write. */
export interface Peeled {
  text: string;
  /** Of a container runtime, whose long lines come in parts. */
  stream?: string;
  /** Whether the next text of the stream continues the line. */
  isPart?: boolean;
  /** Whether a line without a prefix can begin as this one does. */
  isGuess?: boolean;
}

const BYTE_ORDER_MARK = '\xef\xbb\xbf';
// oxlint-disable-next-line no-control-regex -- the escape character of terminals
const COLORS = /\x1b\[[\d;]*[A-Za-z]/g;
/** RFC 5424: `<134>1 2026-11-24T02:33:26.123Z host app 123 ID [structured data] message`. */
const RFC5424 = /^<\d{1,3}>1 \S+ \S+ \S+ \S+ \S+ /;

/** Times of syslog, journalctl, container runtimes, CloudWatch and `ts`. */
const TIMES = [
  /^[A-Z][a-z][a-z] [ \d]\d (?:\d\d\d\d )?\d\d:\d\d:\d\d(?:\.\d+)?/,
  /^(?:[A-Z][a-z][a-z] )?\d\d\d\d[-/]\d\d[-/]\d\d[T _]\d\d:\d\d:\d\d(?:[.,]\d+)?(?: ?(?:[A-Z]+|[+-]\d\d:?\d\d))?/,
  /^\d\d:\d\d:\d\d(?:\.\d+)?/,
];
/** Seconds or milliseconds since 1970; in brackets seconds since the start. */
const SECONDS = /^ *(\d+)(\.\d+)?/;
/** Digits of seconds, milliseconds, microseconds and nanoseconds. */
const EPOCH_DIGITS = new Set([10, 13, 16, 19]);
const TIME_START = /^(?:<\d+>|[[A-Z\d])/;
const TIME_END = /^\]?:?[ \t]+/;
/** What Caddy's console encoder writes: its entry has no other time. */
const CADDY_TIME = /^\d{4}\/[^\t]{1,30}\t/;
/** `stdout F ` of the container runtime interface; P marks a part of a line. */
const STREAM = /^(stdout|stderr) ([FP])(?::[\w:]*)? /;
/** Syslog's host and tag: `web-1 nginx[123]: `, `app[web.1]: `. */
const TAG = /^(?:[^\s:[\]]+ |[\da-fA-F:.]+ )?[\w./@-]+(?:\[[^\]\s]*\])?:/;
/** Fluentd's tag, or the columns of Papertrail, zap and promtail. */
const COLUMNS = /^(?:[\w./@-]+\t)+/;
/** What a message can begin with where no blank is in front of it. */
const MESSAGE_START = /^[[{"]/;

/** Other prefixes, and what remains of each. */
const PREFIXES: readonly [RegExp, string][] = [
  // Octet counting (RFC 6587), and a priority without a time.
  [/^\d{1,7} (?=<\d{1,3}>)/, ''],
  [/^<\d{1,3}>/, ''],
  [/^(?:stdout|stderr) F /, ''],
  // Loki's labels.
  [/^\{(?:[\w.]+="(?:[^"\\]|\\.)*"(?:, ?[\w.]+="(?:[^"\\]|\\.)*")*)?\}[ \t]+/, ''],
  // multilog, Cloud Foundry and Fly.
  [/^@[\da-f]{24} /, ''],
  [/^(?:OUT|ERR) /, ''],
  [/^[\w-]+\[[\da-z]+\] [a-z]{3} \[/, '['],
  // OpenLiteSpeed writes the virtual host in front of its server's log.
  [/^\["([\w.:-]+)"\] /, '$1 '],
  // `kubectl logs --prefix`, kubetail, and levels.
  [/^\[[A-Za-z][\w./ -]*\] +/, ''],
  // `docker compose logs`, foreman, and pm2.
  [/^(?:\d+\|)?[\w.@-]+ *\| /, ''],
  // `uniq -c`, `nl` and `cat -n`.
  [/^ *\d{1,10}[ \t]+/, ''],
  // `tag[123]: `
  [/^[\w./@-]+\[\d+\]: /, ''],
  [/^[ \t]+/, ''],
];
/** A virtual host. */
const WITH_PORT = /[a-z]:\d+$/i;
/** Characters that end the name of a file in front of a line. */
const FILE_NAME_END = /[\s:"{}|<>[\]]/;
const REPEATED = /^message repeated \d+ times: \[ ?(.*)\]$/;
/** `12:2001:db8::7` of `grep -n` looks like an address. Addresses of visitors begin with 2 or 3, and four digits. */
const NUMBERED_IPV6 = /^(\d{1,7}):(?=[23][\da-f]{3}:)/;

/**
 * Takes off the first prefix of a line that a logger, a log collector or a shell tool wrote in front of it. Prefixes can stand
 * behind each other. What is left may still be no line of a log.
 *
 * @param text one character a byte.
 * @returns null for a text without a prefix.
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

/** Without the names of a pod and its container, as stern writes them. */
function withoutContainer(text: string): Peeled | null {
  const names = /^[a-z\d][\w.-]* [a-z\d][\w.-]* /.exec(text)?.[0] ?? '';
  const message = text.slice(names.length);
  const isMessage = MESSAGE_START.test(message) || ipAddressIn(message.split(' ', 1)[0]!) !== null;
  const hasAddress = names.split(' ').some((name) => isIpAddress(name));
  return names !== '' && isMessage && !hasAddress ? { text: message } : null;
}

/** Without what grep writes in front of a match, `access.log:` and `12:`, and around one, `access.log-12-`. */
function withoutFileName(text: string): Peeled | null {
  const word = text.slice(0, Math.max(0, text.indexOf(' ')));
  const hyphen = word.lastIndexOf('-');
  if (hyphen > 0 && ipAddressIn(word.slice(hyphen + 1)) !== null)
    return { text: text.slice(hyphen + 1), isGuess: true };
  // A drive.
  const start = /^[A-Za-z]:\\/.test(text) ? 2 : 0;
  const length = text.slice(start).search(FILE_NAME_END);
  const end = start + length;
  if (length <= 0 || isIpAddress(text.slice(0, end))) return null;
  if (text[end] === '{' && text[end - 1] === '-') return { text: text.slice(end), isGuess: true };
  if (text[end] !== ':' || isGroup(text.slice(0, end), word.slice(end + 1))) return null;
  return { text: text.slice(end + 1).trimStart(), isGuess: true };
}

/** Whether a text is the first group of an IPv6 address, even of one that is not valid. */
const isGroup = (text: string, rest: string): boolean => /^[\da-f]{1,4}$/i.test(text) && /^[\da-f:]+$/i.test(rest);

/**
 * Returns the number that grep wrote in front of a line whose client has an IPv6 address; null if there is none.
 *
 * @param last the number of a line before; 0 without one. Only then can the number be one that addresses begin with.
 */
export function lineNumberOf(text: string, last: number): number | null {
  const found = NUMBERED_IPV6.exec(text);
  if (found === null) return null;
  const number = Number(found[1]);
  const isGroup = found[1]!.length === 4 && number >= 2_000 && number < 4_000;
  return isGroup && (last === 0 || number <= last) ? null : number;
}

/** Returns what follows a time, with syslog's priority in front or in brackets; null for a text without one. */
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

/** Without the host that sent a message without a tag, or its stream: a name in front of a client with or without its virtual host. */
function withoutSender(text: string): string {
  const [first = '', second = '', third = ''] = text.split(' ', 3);
  const isSender =
    MESSAGE_START.test(second) ||
    (ipAddressIn(second) !== null && !WITH_PORT.test(first)) ||
    (ipAddressIn(first) === null && isHostName(second.replace(/:\d+$/, '')) && ipAddressIn(third) !== null);
  return isSender && !MESSAGE_START.test(first) ? text.slice(first.length + 1) : text;
}

/** OpenLiteSpeed writes whole lines in quotes, in which those of its fields are not escaped; others write JSON. */
function unquoted(text: string): string {
  try {
    const value: unknown = JSON.parse(decodeBytes(text));
    if (typeof value === 'string') return utf8Bytes(value);
  } catch {
    // A line in quotes.
  }
  return text.slice(1, text.length > 1 && text.endsWith('"') ? -1 : undefined);
}

/** Passes over `-` or `[id name="value" …]…`, in whose values `\]` and `\"` are escaped. */
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
