import { MAX_LINE_LENGTH } from './limits.js';
import { utf8Bytes } from './quoted-field.js';
import { isFramed, SyslogFrames } from './syslog-frames.js';

const BYTE_ORDER_MARK = '\xef\xbb\xbf';
type Utf16Decoder = InstanceType<typeof TextDecoder>;
/**
 * Carriage returns and zeros also end lines. Some senders write bare carriage returns or zeros. A log that was
 * truncated while its server wrote to it begins with many zeros.
 */
const ODD_ENDS = /[\r\0]+/;
export const LINE_ENDS = /[\n\r\0]/;

/**
 * Splits bytes into lines without their ends. Lines are UTF-8, with one character per byte. UTF-16 is converted, with
 * or without a byte order mark. Streams of octet-counted syslog messages are split by their counts.
 *
 * If a line is longer than the parser's limit, only its start is kept, so memory stays bounded.
 */
export class LineSplitter {
  private rest = '';
  private head = new Uint8Array(0);
  /** Undefined until the encoding is known. Null if it isn't UTF-16. */
  private utf16: Utf16Decoder | null | undefined;
  private frames: SyslogFrames | undefined;

  /** @param decode returns one character per byte. Set it if the platform has a faster implementation. */
  constructor(private readonly decode: (bytes: Uint8Array) => string = latin1Text) {}

  /** Returns the lines that end in these bytes. */
  push(bytes: Uint8Array): string[] {
    if (this.utf16 !== undefined) return this.linesOf(this.textOf(bytes));
    // Two bytes are enough to detect the encoding, unless they may be the start of a UTF-8 byte order mark.
    const needed = (this.head[0] ?? bytes[0]) === 0xef ? BYTE_ORDER_MARK.length : 2;
    if (this.head.length + bytes.length >= needed) return this.begin(bytes);
    this.head = joined(this.head, bytes);
    return [];
  }

  /** Returns the last line if it has no line end, or undefined if it's empty. */
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

/**
 * Splits text without line feeds at other line ends. The last item is the rest, which may continue in the next bytes.
 */
function oddRests(text: string): string[] {
  const end = text.endsWith('\r') ? -1 : undefined;
  const lines = text.slice(0, end).split(ODD_ENDS);
  const rest = lines.pop()!;
  return [...lines.filter((each) => each !== ''), end === undefined ? rest : `${rest}\r`];
}

function utf16DecoderOf([first, second, third, fourth]: Uint8Array): Utf16Decoder | null {
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le');
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be');
  // Detects UTF-16 without a byte order mark. Logs begin with ASCII, so every other byte is zero.
  if (second === 0 && first! > 0 && (fourth ?? 0) === 0) return new TextDecoder('utf-16le');
  return first === 0 && second! > 0 && (third ?? 0) === 0 ? new TextDecoder('utf-16be') : null;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

/** Number of arguments that every engine accepts in one call. */
const PIECE_BYTES = 8_192;

/** Doesn't use TextDecoder, because its `latin1` is windows-1252. */
function latin1Text(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    text += String.fromCharCode(...bytes.subarray(at, at + PIECE_BYTES));
  }
  return text;
}

const withoutCr = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);
