import { MAX_LINE_LENGTH } from './limits.js';
import { encodeUtf8 } from './quoted-field.js';
import { isFramed, SyslogFrames } from './syslog-frames.js';

const BYTE_ORDER_MARK = '\xef\xbb\xbf';
type Utf16Decoder = InstanceType<typeof TextDecoder>;
/**
 * Unusual line endings. Some senders end lines with bare carriage returns or NUL bytes. A log that was truncated while a
 * server was writing to it begins with many NUL bytes.
 */
const UNUSUAL_LINE_ENDS = /[\r\0]+/;
export const LINE_ENDS = /[\n\r\0]/;

/**
 * Splits bytes into lines without line endings. Lines are UTF-8 bytes as Latin-1 strings (one character per byte).
 * UTF-16 is detected and converted, with or without a byte order mark. Octet-counted syslog messages are split by their
 * counts.
 *
 * Lines over the parser's limit are truncated to bound memory use.
 */
export class LineSplitter {
  private rest = '';
  private head = new Uint8Array(0);
  /** Undefined until the encoding has been detected. Null if it isn't UTF-16. */
  private utf16: Utf16Decoder | null | undefined;
  private frames: SyslogFrames | undefined;

  /** @param decode Decodes Latin-1. Set it if the platform has a faster implementation. */
  constructor(private readonly decode: (bytes: Uint8Array) => string = latin1Text) {}

  /** Returns the lines that these bytes complete. */
  push(bytes: Uint8Array): string[] {
    if (this.utf16 !== undefined) return this.splitLines(this.decodeText(bytes));
    // Two bytes are enough to detect the encoding unless they could start a UTF-8 byte order mark.
    const needed = (this.head[0] ?? bytes[0]) === 0xef ? BYTE_ORDER_MARK.length : 2;
    if (this.head.length + bytes.length >= needed) return this.detectEncoding(bytes);
    this.head = concat(this.head, bytes);
    return [];
  }

  /** Returns the unterminated last line, or undefined if it's empty. */
  end(): string | undefined {
    if (this.utf16 === undefined) this.rest = this.detectEncoding(new Uint8Array(0)).join('\n') + this.rest;
    const rest = this.frames === undefined ? this.rest : (this.frames.end() ?? '');
    this.rest = '';
    return rest === '' ? undefined : stripCarriageReturn(rest);
  }

  private detectEncoding(bytes: Uint8Array): string[] {
    const { head } = this;
    this.utf16 = detectUtf16(concat(head, bytes.subarray(0, 4)));
    const text = (this.utf16 === null ? latin1Text(head) : this.decodeText(head)) + this.decodeText(bytes);
    const start = text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
    if (isFramed(start)) this.frames = new SyslogFrames();
    return this.splitLines(start);
  }

  private decodeText(bytes: Uint8Array): string {
    return this.utf16 ? encodeUtf8(this.utf16.decode(bytes, { stream: true })) : this.decode(bytes);
  }

  private splitLines(text: string): string[] {
    if (this.frames !== undefined) return this.frames.push(text).flatMap((message) => message.split('\n'));
    const lines = text.split('\n');
    const isOdd = text.includes('\r') || text.includes('\0') || this.rest.endsWith('\r');
    lines[0] = this.rest + lines[0]!;
    const last = lines.pop()!;
    const ended = isOdd ? lines.flatMap(splitUnusualEnds) : lines;
    const rests = isOdd ? splitRest(last) : [last];
    const rest = rests.pop()!;
    this.rest = rest.length > MAX_LINE_LENGTH ? rest.slice(0, MAX_LINE_LENGTH + 1) : rest;
    return rests.length === 0 ? ended : [...ended, ...rests];
  }
}

function splitUnusualEnds(text: string): string | string[] {
  const line = stripCarriageReturn(text);
  if (!line.includes('\r') && !line.includes('\0')) return line;
  const lines = line.split(UNUSUAL_LINE_ENDS).filter((each) => each !== '');
  return lines.length === 0 ? '' : lines;
}

/**
 * Splits text without line feeds at unusual line endings. The last item is the rest, which the next bytes may continue.
 */
function splitRest(text: string): string[] {
  const end = text.endsWith('\r') ? -1 : undefined;
  const lines = text.slice(0, end).split(UNUSUAL_LINE_ENDS);
  const rest = lines.pop()!;
  return [...lines.filter((each) => each !== ''), end === undefined ? rest : `${rest}\r`];
}

function detectUtf16([first, second, third, fourth]: Uint8Array): Utf16Decoder | null {
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le');
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be');
  // Without a byte order mark, UTF-16 is detected by its zero bytes, because logs begin with ASCII characters.
  if (second === 0 && first! > 0 && (fourth ?? 0) === 0) return new TextDecoder('utf-16le');
  return first === 0 && second! > 0 && (third ?? 0) === 0 ? new TextDecoder('utf-16be') : null;
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

/** Number of arguments that all JavaScript engines accept in a single call. */
const PIECE_BYTES = 8_192;

/** Decodes Latin-1 without TextDecoder, whose `latin1` is actually windows-1252. */
function latin1Text(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    text += String.fromCharCode(...bytes.subarray(at, at + PIECE_BYTES));
  }
  return text;
}

const stripCarriageReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);
