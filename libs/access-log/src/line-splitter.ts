import { MAX_LINE_LENGTH } from './limits.js';

/**
 * Cuts bytes into lines (latin1, one character a byte; a CR before the LF is taken off). Of a line longer than the
 * parser reads only the start is kept, so that memory stays bounded.
 */
export class LineSplitter {
  private rest = '';

  /** @param decode one character a byte; where there is a faster way than everywhere. */
  constructor(private readonly decode: (bytes: Uint8Array) => string = latin1Text) {}

  /** @returns the lines that end within these bytes. */
  push(bytes: Uint8Array): string[] {
    const lines = this.decode(bytes).split('\n');
    lines[0] = this.rest + lines[0]!;
    const rest = lines.pop()!;
    this.rest = rest.length > MAX_LINE_LENGTH ? rest.slice(0, MAX_LINE_LENGTH + 1) : rest;
    return lines.map(withoutCr);
  }

  /** The last line, when the bytes ended without a line feed. */
  end(): string | undefined {
    const { rest } = this;
    this.rest = '';
    return rest === '' ? undefined : withoutCr(rest);
  }
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
