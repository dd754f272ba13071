import { JSON_FORMATS, TEXT_FORMATS } from './formats/formats.js';
import { members, type Entry, type JsonFormat, type LineReader, type LogFormat } from './formats/log-format.js';
import { MAX_LINE_LENGTH } from './limits.js';
import type { ParsedLine } from './log-line.js';
import { readLine } from './plain-line.js';
import { decodeBytes } from './quoted-field.js';

/** Names of members that are shown of an object of no known format. */
const MAX_SHOWN = 8;

/**
 * Reads the lines of one log in their order. Without a format, each line is told by what it looks like, so that a log may
 * hold several: rotation, or two servers that write into one file.
 */
export class LogParser {
  /** The reader of the text format that was met last; logs of one format, the most there are, try no other. */
  private text: { format: LogFormat | null; read: LineReader } = { format: null, read: readAny };

  /** @param format null to tell it from the lines. */
  constructor(private readonly format: LogFormat | null = null) {
    if (format?.kind === 'text') this.text = { format, read: format.open() };
  }

  /**
   * Reads the next line.
   *
   * @param text its bytes as latin1, without its end.
   * @param finished false for the end of a log that no line feed ends: what may be half a user agent isn't read then.
   */
  read(text: string, finished = true): ParsedLine {
    if (text.length > MAX_LINE_LENGTH) return { reason: `longer than ${MAX_LINE_LENGTH / 1_024} KiB` };
    if (this.format?.kind === 'json' || (this.format === null && text.startsWith('{'))) return this.readJson(text);
    const parsed = this.text.read(text, finished);
    return this.format !== null || !('reason' in parsed) ? parsed : this.readChanged(text, finished, parsed);
  }

  /** Reads a line that is not of the format of those before it. */
  private readChanged(text: string, finished: boolean, parsed: ParsedLine): ParsedLine {
    const format = TEXT_FORMATS.find((each) => each !== this.text.format && each.recognizes(text));
    if (format === undefined) return parsed;
    this.text = { format, read: format.open() };
    return this.text.read(text, finished);
  }

  private readJson(text: string): ParsedLine {
    const entry = parseObject(text);
    if (entry === null) return { reason: 'not a whole JSON object' };
    return this.format?.kind === 'json' ? this.format.read(entry) : readEntry(entry);
  }
}

/** Reads an object of any known format. */
export function readEntry(entry: Entry, formats: readonly JsonFormat[] = JSON_FORMATS): ParsedLine {
  const format = formats.find((each) => each.recognizes(entry));
  if (format !== undefined) return format.read(entry);
  const names = Object.keys(entry);
  const shown = names.slice(0, MAX_SHOWN).join(', ');
  return {
    reason: `an object of no known format, with ${shown || 'no members'}${names.length > MAX_SHOWN ? ', …' : ''}`,
  };
}

/** The object that a line holds; null where it holds none. */
function parseObject(text: string): Entry | null {
  try {
    const value: unknown = JSON.parse(decodeBytes(text));
    const entry = members(value);
    return entry === value ? entry : null;
  } catch {
    return null;
  }
}

/** Common and combined, each with or without the virtual host: one parser tells them apart. */
const readAny: LineReader = (text, finished) => readLine(text, 'auto', finished);
