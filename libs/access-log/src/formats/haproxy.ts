import { columnNames } from '../columns.js';
import { LogFields } from '../log-fields.js';
import type { ParsedLine } from '../log-line.js';
import { decodeBytes } from '../quoted-field.js';
import type { LineReader, TextFormat } from './log-format.js';

/** `client:port [time] frontend backend/server TR/Tw/Tc/Tr/Ta status bytes cookie cookie state connections queues` */
const HEAD_WORDS = 12;
const CLIENT = /^\S+:\d+$/;
const TIME = /^\[(\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d\.\d{3})\]$/;
const NUMBERS = /^[-+\d/]+$/;
const ENCODED = /#([\dA-F]{2})/g;

/**
 * HAProxy's `option httplog` (docs.haproxy.org/2.8/configuration.html#8.2.3).
 *
 * The log doesn't name captured headers. A `#Fields` line lists the request headers in the order the frontend captures
 * them.
 */
export const haproxy: TextFormat = {
  kind: 'text',
  name: 'haproxy',
  title: 'HAProxy, httplog',
  verifiedBy: 'addresses and signatures',
  limits:
    'Only headers that the frontend captures, including the user agent, if --fields lists them in the same order. Times have no zone, and are read as local time.',
  recognizes: (text) => headOf(text) !== null,
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

/** Returns everything before the captured headers, or null if the line has another format. */
function headOf(text: string) {
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
    total: unsigned(total),
    status,
    bytes: unsigned(bytes),
    length,
  };
}

/** Removes the plus that `option logasap` adds. It marks lines that were logged before the response ended. */
const unsigned = (number: string): string => number.replace('+', '');

function read(text: string, names: readonly string[]): ParsedLine {
  const head = headOf(text);
  if (head === null) return { reason: 'not a line of HAProxy’s httplog' };
  const { captures, end } = capturesAt(text, head.length);
  // Quotes inside the request are written as `#22`.
  const request = /^"([^"]*)"(?: |$)/.exec(text.slice(end))?.[1];
  if (request === undefined) {
    return { reason: 'no request in quotes at the end: raise “len” of the log line in HAProxy' };
  }
  if (request === '<BADREQ>') return { leftOut: 'malformed requests' };
  const fields = new LogFields();
  fields.set('client', head.client);
  fields.set('time', head.time);
  fields.set('request', decoded(request));
  // -1 means that no status was sent.
  fields.set('status', head.status === '-1' ? '' : head.status);
  fields.set('sent', head.bytes);
  fields.set('milliseconds', head.total);
  for (const [index, header] of names.entries()) {
    fields.set(header === 'host' ? 'host' : { header }, decodeBytes(decoded(captures[index] ?? '')));
  }
  return fields.line();
}

/** Reads up to two blocks of captures, `{request headers} {response headers} `, and returns the values of the first. */
function capturesAt(text: string, start: number): { captures: string[]; end: number } {
  let end = start;
  let captures: string[] | undefined;
  while (text[end] === '{') {
    const close = text.indexOf('} ', end);
    if (close === -1) break;
    captures ??= text.slice(end + 1, close).split('|');
    end = close + 2;
  }
  return { captures: captures ?? [], end };
}

/** Decodes `#XX`. HAProxy uses it for non-printable characters and for `"`, `#`, `{`, `|` and `}`. */
const decoded = (text: string): string =>
  text.replace(ENCODED, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
