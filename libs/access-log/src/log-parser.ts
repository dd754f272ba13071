import { apacheFormats } from './formats/apache.js';
import { JSON_FORMATS, TEXT_FORMATS } from './formats/formats.js';
import {
  members,
  type Entry,
  type JsonFormat,
  type LineReader,
  type LogFormat,
  type TextFormat,
} from './formats/log-format.js';
import { MAX_LINE_LENGTH } from './limits.js';
import type { ParsedLine } from './log-line.js';
import { readLine } from './plain-line.js';
import { decodeBytes } from './quoted-field.js';

/** Names of members that are shown of an object of no known format. */
const MAX_SHOWN = 8;

/** Common and combined, each with or without the virtual host: one parser tells them apart. */
const readApache: LineReader = (text, finished) => readLine(text, 'auto', finished);

/**
 * Reads the lines of one log in their order. Without a format, each line is told by what it looks like, so that a log may
 * hold several: rotation, or two servers that write into one file.
 */
export class LogParser {
  /**
   * The text format that was met last, with its reader: logs of one format, the most there are, try no other. Null before
   * the first; its format is null for Apache's lines with more fields than a format has.
   */
  private text: { format: TextFormat | null; read: LineReader } | null = null;
  private found: LogFormat | null = null;

  /** @param format null to tell it from the lines. */
  constructor(private readonly format: LogFormat | null = null) {
    if (format?.kind === 'text') this.text = { format, read: format.open() };
  }

  /**
   * The format of the last line that was told by its looks, or the given one; null before the first. Of Apache's formats,
   * which one parser reads, it is that of the first such line.
   */
  get lastFormat(): LogFormat | null {
    return this.format ?? this.found;
  }

  /**
   * Reads the next line.
   *
   * @param text its bytes as latin1, without its end.
   * @param finished false for the end of a log that no line feed ends: what may be half a user agent isn't read then.
   */
  read(text: string, finished = true): ParsedLine {
    if (text.length > MAX_LINE_LENGTH) return { reason: `longer than ${MAX_LINE_LENGTH / 1_024} KiB` };
    if (this.format?.kind === 'json') return this.readJson(text, this.format);
    if (this.format !== null) return this.text!.read(text, finished);
    if (text.endsWith('}') || text.startsWith('{')) {
      const parsed = this.readAnyJson(text);
      if (parsed !== null) return parsed;
    }
    return this.readText(text, finished);
  }

  private readText(text: string, finished: boolean): ParsedLine {
    const parsed = this.text?.read(text, finished);
    if (parsed !== undefined && !('reason' in parsed)) {
      this.found = this.text!.format;
      return parsed;
    }
    const format = TEXT_FORMATS.find((each) => each !== this.text?.format && each.recognizes(text)) ?? null;
    const read = format === null || apacheFormats.includes(format) ? readApache : format.open();
    const changed = read(text, finished);
    if (parsed !== undefined && 'reason' in changed) return parsed;
    if (!('reason' in changed)) {
      this.text = { format, read };
      this.found = format;
    }
    return changed;
  }

  /** Reads an object of any known format; null for text that only ends with a brace. */
  private readAnyJson(text: string): ParsedLine | null {
    const found = findObject(text);
    if (found === null) return text.startsWith('{') ? { reason: 'not a whole JSON object' } : null;
    const format = JSON_FORMATS.find((each) => each.recognizes(found.entry));
    if (format === undefined) return text.startsWith('{') ? unknownObject(found.entry) : null;
    this.found = format;
    return format.read(found.entry, found.before);
  }

  private readJson(text: string, format: JsonFormat): ParsedLine {
    const found = findObject(text);
    return found === null ? { reason: 'not a whole JSON object' } : format.read(found.entry, found.before);
  }
}

/** Reads an object of any known format. */
export function readEntry(entry: Entry, formats: readonly JsonFormat[] = JSON_FORMATS): ParsedLine {
  return formats.find((each) => each.recognizes(entry))?.read(entry) ?? unknownObject(entry);
}

function unknownObject(entry: Entry): ParsedLine {
  const names = Object.keys(entry);
  const shown = names.slice(0, MAX_SHOWN).join(', ');
  return {
    reason: `an object of no known format, with ${shown || 'no members'}${names.length > MAX_SHOWN ? ', …' : ''}`,
  };
}

/** The object at a line's end, with what stands in front of it: syslog's header, or a console's time and level. */
function findObject(text: string): { entry: Entry; before: string } | null {
  const start = text.indexOf('{');
  if (start === -1) return null;
  try {
    const value: unknown = JSON.parse(decodeBytes(start === 0 ? text : text.slice(start)));
    const entry = members(value);
    return entry === value ? { entry, before: text.slice(0, start) } : null;
  } catch {
    return null;
  }
}
