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
import { withoutSyslogHeader } from './syslog-header.js';

/** How the reason starts for an object that no format recognizes. */
export const UNKNOWN_OBJECT = 'an object of no known format';

/**
 * What may stand in front of an object, beside a syslog header: a container's name, and a time with a level (in color) or a stream.
 * Nothing else, as an object at the end of another line may be what a visitor sent.
 */
const BEFORE =
  /^(?:[\w.-]+ +\| +)?(?:[\d/:.,eTZ+-]+(?: [\d:.,]+)?[ \t]+(?:\p{Cc}\[\d+m)?(?:debug|info|warn|error|stdout|stderr)(?:\p{Cc}\[\d+m)?[ \t][\w. \t]*)?\[?$/iu;

/** Objects and arrays within one another. */
const MAX_DEPTH = 64;

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
    const message = withoutSyslogHeader(text);
    if (this.format !== null) return this.text!.read(message, finished);
    const isJson = text.startsWith('{') || text.startsWith('[{');
    if (isJson || (text.endsWith('}') && BEFORE.test(message.slice(0, message.indexOf('{'))))) {
      const parsed = this.readAnyJson(text);
      if (parsed !== null) return parsed;
    }
    return this.readText(message, finished);
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

  /** Reads an object of any known format; null for text that only looks like one. */
  private readAnyJson(text: string): ParsedLine | null {
    const isJson = text.startsWith('{') || text.startsWith('[{');
    const found = findEntry(text);
    if ('reason' in found) return isJson ? found : null;
    const format = JSON_FORMATS.find((each) => each.recognizes(found.entry));
    if (format === undefined) return isJson ? unknownObject(found.entry) : null;
    this.found = format;
    return format.read(found.entry, found.before);
  }

  private readJson(text: string, format: JsonFormat): ParsedLine {
    const found = findEntry(text);
    return 'reason' in found ? found : format.read(found.entry, found.before);
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
    reason: `${UNKNOWN_OBJECT}, with ${shown || 'no members'}${names.length > MAX_SHOWN ? ', …' : ''}`,
  };
}

/** The object at a line's end, with what stands in front of it: syslog's header, or a console's time and level. */
function findEntry(text: string): { entry: Entry; before: string } | { reason: string } {
  const brace = text.indexOf('{');
  const start = brace > 0 && text[brace - 1] === '[' ? brace - 1 : brace;
  const value = brace === -1 ? undefined : parsedJson(start === 0 ? text : text.slice(start));
  if (value === undefined) return { reason: 'not a whole JSON object' };
  const entries = entriesOf(value);
  if (entries.length > 1) {
    const filter = Array.isArray(value) ? '.[]' : '.records[]';
    return {
      reason: `${entries.length} entries in one line: put each on a line of its own, as jq -c '${filter}' does`,
    };
  }
  const entry = members(entries[0]);
  return entry === entries[0] ? { entry, before: text.slice(0, start) } : { reason: 'not a JSON object' };
}

/** What a JSON document holds: the items of an array, those that Azure wraps in `records`, or the document. */
export function entriesOf(value: unknown): readonly unknown[] {
  const { records } = members(value);
  return Array.isArray(value) ? value : Array.isArray(records) ? records : [value];
}

/**
 * Parses a line, of nginx without `escape=json` as well.
 *
 * @param text one character a byte.
 * @returns undefined for anything but JSON, and for JSON nested deeper than any log: what reads it recurses.
 */
export function parsedJson(text: string): unknown {
  const value = parsed(text);
  return isDeeperThan(value, MAX_DEPTH) ? undefined : value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(decodeBytes(text));
  } catch {
    return text.includes('\\x') ? parsedWithHexEscapes(text) : undefined;
  }
}

const isDeeperThan = (value: unknown, limit: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (limit === 0 || Object.values(value).some((each) => isDeeperThan(each, limit - 1)));

/** nginx without `escape=json` writes `\xNN` for a byte, which is not JSON. */
function parsedWithHexEscapes(text: string): unknown {
  const json = text.replaceAll(/\\(?:x([\dA-Fa-f]{2})|.)/gs, (escape, hex: string | undefined) =>
    hex === undefined ? escape : `\\u00${hex}`,
  );
  try {
    return JSON.parse(json, (_, value: unknown) => (typeof value === 'string' ? decodeBytes(value) : value));
  } catch {
    return undefined;
  }
}
