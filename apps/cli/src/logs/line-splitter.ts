import { MAX_LINE_LENGTH } from './line-parser.js';

/**
 * Cuts bytes into lines (latin1, one character a byte; a CR before the LF is taken off). Of a line longer than the
 * parser reads only the start is kept, so that memory stays bounded.
 */
export class LineSplitter {
  private rest = '';

  /** @returns the lines that end within these bytes. */
  push(bytes: Uint8Array): string[] {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    const lines = text.split('\n');
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

const withoutCr = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);
