import { columnNames } from '../columns.js';
import { LogFields } from '../log-fields.js';
import type { ParsedLine } from '../log-line.js';
import { decodeUtf8 } from '../quoted-field.js';
import type { LineReader, TextFormat } from './log-format.js';

/**
 * Number of words before the captured headers:
 * `client:port [time] frontend backend/server TR/Tw/Tc/Tr/Ta status bytes cookie cookie state connections queues`.
 */
const HEAD_WORDS = 12;
const CLIENT = /^\S+:\d+$/;
const TIME = /^\[(\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d\.\d{3})\]$/;
const NUMBERS = /^[-+\d/]+$/;
const ENCODED = /#([\dA-F]{2})/g;
const PRODUCT = /^[A-Za-z][\w.+-]*\/v?\d/;
const PROTOCOL = /^(?:HTTP\/|TLS)/;
/** Start or content of a user agent. Response headers such as `Server: nginx/1.27.2` never match. */
const USER_AGENT = /^Mozilla\/\d|https?:\/\/|bot\b|crawl|spider/i;

/**
 * HAProxy's `option httplog` (docs.haproxy.org/2.8/configuration.html#8.2.3).
 *
 * The log doesn't contain the names of captured headers. A `#Fields` line can list them in the order the frontend
 * captures them. Without it, only a value that is obviously a user agent is used.
 */
export const haproxy: TextFormat = {
  kind: 'text',
  name: 'haproxy',
  title: 'HAProxy, httplog',
  verifiedBy: 'addresses and signatures',
  limits:
    "Headers, including the user agent, must be captured by the frontend. The log doesn't contain their names, so list them with --fields in the same order. Otherwise, only obvious user agents are recognized. Times have no time zone and are read as local time.",
  recognizes: (text) => parseHead(text) !== null,
  open: () => {
    let names: string[] = [];
    const reader: LineReader = (text) => {
      if (!text.startsWith('#Fields:')) return read(text, names);
      names = columnNames(text);
      return { leftOut: 'header lines' };
    };
    return reader;
  },
};

/** Parses the fields before the captured headers. Returns null if the line is in another format. */
function parseHead(text: string) {
  const words = text.split(' ', HEAD_WORDS);
  const [client = '', bracketed = '', , , times = '', status = '', bytes = ''] = words;
  const time = TIME.exec(bracketed)?.[1];
  const total = times.split('/')[4];
  const numbers = [times, status, bytes, words[10], words[11]];
  if (time === undefined || total === undefined || !CLIENT.test(client)) return null;
  if (!numbers.every((word) => word !== undefined && NUMBERS.test(word))) return null;
  const length = words.reduce((sum, word) => sum + word.length + 1, 0);
  return {
    client: client.slice(0, client.lastIndexOf(':')),
    time,
    total: stripPlus(total),
    status,
    bytes: stripPlus(bytes),
    length,
  };
}

/** Removes the plus sign that `option logasap` adds to values logged before the response is complete. */
const stripPlus = (number: string): string => number.replace('+', '');

function read(text: string, names: readonly string[]): ParsedLine {
  const head = parseHead(text);
  if (head === null) return { reason: 'not a HAProxy httplog line' };
  const { captures, blocks, end } = readCaptures(text, head.length);
  // HAProxy writes quotes inside the request as `#22`.
  const request = /^"([^"]*)"(?: |$)/.exec(text.slice(end))?.[1];
  if (request === undefined) {
    return { reason: 'no quoted request at the end: increase “len” in the HAProxy log directive' };
  }
  if (request === '<BADREQ>') return { leftOut: 'malformed requests' };
  const fields = new LogFields();
  fields.set('client', head.client);
  fields.set('time', head.time);
  fields.set('request', decodeHex(request));
  // The status is -1 if none was sent.
  fields.set('status', head.status === '-1' ? '' : head.status);
  fields.set('sent', head.bytes);
  fields.set('milliseconds', head.total);
  for (const [index, header] of names.entries()) {
    fields.set(header === 'host' ? 'host' : { header }, decodeUtf8(decodeHex(captures[index] ?? '')));
  }
  if (names.length === 0) fields.set({ header: 'user-agent' }, findUserAgent(captures, blocks));
  return fields.line();
}

/** Returns the only captured value that looks like a user agent, or an empty text. */
function findUserAgent(captures: readonly string[], blocks: number): string {
  const [userAgent = '', ...others] = captures.filter((value) => PRODUCT.test(value) && !PROTOCOL.test(value));
  // A single block can also contain response headers. Two blocks always start with the request headers.
  const isUserAgent = others.length === 0 && (blocks > 1 || USER_AGENT.test(userAgent));
  return isUserAgent ? decodeUtf8(decodeHex(userAgent)) : '';
}

interface Captures {
  /** Values in the first block. */
  captures: string[];
  /** Number of blocks. */
  blocks: number;
  end: number;
}

/** Skips up to two blocks of captured headers (`{request headers} {response headers} `). */
function readCaptures(text: string, start: number): Captures {
  let end = start;
  let blocks = 0;
  let captures: string[] | undefined;
  while (text[end] === '{') {
    const close = text.indexOf('} ', end);
    if (close === -1) break;
    captures ??= text.slice(end + 1, close).split('|');
    blocks += 1;
    end = close + 2;
  }
  return { captures: captures ?? [], blocks, end };
}

/** Decodes `#XX`, which HAProxy writes for non-printable characters and for `"`, `#`, `{`, `|` and `}`. */
const decodeHex = (text: string): string =>
  text.replace(ENCODED, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
