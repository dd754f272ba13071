import { MAX_LINE_LENGTH } from './limits.js';
import { utf8Bytes } from './quoted-field.js';
import { isFramed, SyslogFrames } from './syslog-frames.js';

const BYTE_ORDER_MARK = '\xef\xbb\xbf';
type Utf16Decoder = InstanceType<typeof TextDecoder>;
/**
 * A line also ends with a bare carriage return or a zero: some senders write it, and a log that was truncated while its server wrote
 * begins with many.
 */
const ODD_ENDS = /[\r\0]+/;
/** Ends of lines in a text that has them all. */
export const LINE_ENDS = /[\n\r\0]/;

/**
 * Cuts bytes into lines: one character a byte, in UTF-8, whatever the encoding (UTF-16 with or without a byte order mark), without
 * the line ends. A stream of counted syslog messages is cut by their counts. Of a line longer than the parser reads only the start
 * is kept, so that memory stays bounded.
 */
export class LineSplitter {
  private rest = '';
  private head = new Uint8Array(0);
  /** Undefined before the encoding is known; null for one of which each byte is a character here. */
  private utf16: Utf16Decoder | null | undefined;
  private frames: SyslogFrames | undefined;

  /** @param decode one character a byte; where there is a faster way than everywhere. */
  constructor(private readonly decode: (bytes: Uint8Array) => string = latin1Text) {}

  /** @returns the lines that end within these bytes. */
  push(bytes: Uint8Array): string[] {
    if (this.utf16 !== undefined) return this.linesOf(this.textOf(bytes));
    // Two bytes are enough, unless it can be the mark of UTF-8.
    const needed = (this.head[0] ?? bytes[0]) === 0xef ? BYTE_ORDER_MARK.length : 2;
    if (this.head.length + bytes.length >= needed) return this.begin(bytes);
    this.head = joined(this.head, bytes);
    return [];
  }

  /** The lines behind those that ended, when the bytes ended without a line feed: one at most, unless they are short. */
  end(): string | undefined {
    if (this.utf16 === undefined) this.rest = this.begin(new Uint8Array(0)).join('\n') + this.rest;
    const rest = this.frames === undefined ? this.rest : (this.frames.end() ?? '');
    this.rest = '';
    return rest === '' ? undefined : withoutCr(rest);
  }

  private begin(bytes: Uint8Array): string[] {
    const { head } = this;
    this.utf16 = utf16DecoderOf(joined(head, bytes.subarray(0, 4)));
    const text = (this.utf16 === null ? latin1Text(head) : this.textOf(head)) + this.textOf(bytes);
    const start = text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
    if (isFramed(start)) this.frames = new SyslogFrames();
    return this.linesOf(start);
  }

  private textOf(bytes: Uint8Array): string {
    return this.utf16 ? utf8Bytes(this.utf16.decode(bytes, { stream: true })) : this.decode(bytes);
  }

  private linesOf(text: string): string[] {
    if (this.frames !== undefined) return this.frames.push(text).flatMap((message) => message.split('\n'));
    const lines = text.split('\n');
    const isOdd = text.includes('\r') || text.includes('\0') || this.rest.endsWith('\r');
    lines[0] = this.rest + lines[0]!;
    const last = lines.pop()!;
    const ended = isOdd ? lines.flatMap(oddLines) : lines;
    const rests = isOdd ? oddRests(last) : [last];
    const rest = rests.pop()!;
    this.rest = rest.length > MAX_LINE_LENGTH ? rest.slice(0, MAX_LINE_LENGTH + 1) : rest;
    return rests.length === 0 ? ended : [...ended, ...rests];
  }
}

function oddLines(text: string): string | string[] {
  const line = withoutCr(text);
  if (!line.includes('\r') && !line.includes('\0')) return line;
  const lines = line.split(ODD_ENDS).filter((each) => each !== '');
  return lines.length === 0 ? '' : lines;
}

/** Lines that end within a text without a line feed, and the rest, which a line feed may follow. */
function oddRests(text: string): string[] {
  const end = text.endsWith('\r') ? -1 : undefined;
  const lines = text.slice(0, end).split(ODD_ENDS);
  const rest = lines.pop()!;
  return [...lines.filter((each) => each !== ''), end === undefined ? rest : `${rest}\r`];
}

function utf16DecoderOf([first, second, third, fourth]: Uint8Array): Utf16Decoder | null {
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le');
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be');
  // Logs begin with ASCII.
  if (second === 0 && first! > 0 && (fourth ?? 0) === 0) return new TextDecoder('utf-16le');
  return first === 0 && second! > 0 && (third ?? 0) === 0 ? new TextDecoder('utf-16be') : null;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

/** Arguments that every engine takes in one call. */
const PIECE_BYTES = 8_192;

/** Not TextDecoder's, which takes latin1 for another encoding. */
function latin1Text(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    text += String.fromCharCode(...bytes.subarray(at, at + PIECE_BYTES));
  }
  return text;
}

const withoutCr = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);
