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
import { lineNumberOf, peeled, type Peeled } from './line-prefix.js';
import type { ParsedLine } from './log-line.js';
import { readLine } from './plain-line.js';
import { LINE_ENDS } from './line-splitter.js';
import { decodeBytes, utf8Bytes } from './quoted-field.js';
import { eventsIn, wrappedIn, type Wrapped } from './wrapped-lines.js';

/** How the reason starts for an object that no format recognizes. */
export const UNKNOWN_OBJECT = 'an object of no known format';

/** Time and level of Caddy's console encoder, which an entry without a time of its own needs. */
const BEFORE_ENTRY =
  /^\d{4}\/\d\d\/\d\d [\d:.]+\t(?:\p{Cc}\[\d+m)?(?:debug|info|warn|error)(?:\p{Cc}\[\d+m)?\t[\w. \t]*$/iu;
/** `tail` names the files it prints. */
const FILE_HEADER = /^==> .* <==$/;

/** Objects and arrays within one another. */
const MAX_DEPTH = 64;

/** Names of members that are shown of an object of no known format. */
const MAX_SHOWN = 8;
/** Prefixes in front of a line, and objects within each other. */
const MAX_PREFIXES = 6;
/** Digits of a line's number. */
const MAX_NUMBER_LENGTH = 7;
const MAX_WRAPPERS = 4;
/** Lines of a single record, and the characters of a text in one. */
const MAX_LINES = 10_000;
const MAX_TEXT_LENGTH = 2 ** 20;
const PART: ParsedLine = { leftOut: 'parts of a line that a later part completes' };
const CUT: ParsedLine = { reason: 'the end of the line is missing' };
const TOO_LONG: ParsedLine = { reason: `longer than ${MAX_LINE_LENGTH / 1_024} KiB` };

/** Common and combined, each with or without the virtual host: one parser distinguishes them. */
const readApache: LineReader = (text, finished) => readLine(text, 'auto', finished);

/** What became of several lines in one record. */
interface Several {
  lines: ParsedLine[];
  /** Filter of jq that puts each on a line of its own. */
  filter: string;
}
type Outcome = ParsedLine | Several;

/**
 * Reads the lines of one log in their order. Without a format, each line is told by what it looks like, so that a log may
 * hold several: rotation, or two servers that write into one file. Prefixes of loggers and collectors, and objects that they wrap
 * lines in, are taken off.
 */
export class LogParser {
  /**
   * The text format that was met last, with its reader: logs of one format, the most there are, try no other. Null before
   * the first; its format is null for Apache's lines with more fields than a format has.
   */
  private text: { format: TextFormat | null; read: LineReader } | null = null;
  private found: LogFormat | null = null;
  /** Prefixes of the line that was read last: most logs have the same in front of all lines. */
  private prefixes = 0;
  /** That grep wrote in front of the last line with one; 0 before the first. */
  private lineNumber = 0;
  /** Beginnings of lines, by their streams. */
  private readonly parts = new Map<string, string>();
  private inner: LogParser | undefined;

  /**
   * @param format null to tell it from the lines.
   * @param depth objects around the lines.
   */
  constructor(
    private readonly format: LogFormat | null = null,
    private readonly depth = 0,
  ) {
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
    const outcome = this.outcomeOf(text, finished);
    if (!('lines' in outcome)) return outcome;
    return {
      reason: `${outcome.lines.length} entries in one line: put each on a line of its own, as jq -c '${outcome.filter}' does`,
    };
  }

  /** Reads a text as {@link read} does, or an object, with all lines that it holds. */
  readAll(item: string | Entry, finished = true): ParsedLine[] {
    const outcome = typeof item === 'string' ? this.textOutcome(item, finished) : this.readRecords(item, finished);
    return 'lines' in outcome ? outcome.lines : [outcome];
  }

  private textOutcome(text: string, finished: boolean): Outcome {
    if (!LINE_ENDS.test(text) || text.length > MAX_LINE_LENGTH) return this.outcomeOf(text, finished);
    const lines = text.split(LINE_ENDS).filter((line) => line.trim() !== '');
    return severalOf(lines, '.', (line) => this.outcomeOf(line, finished));
  }

  private outcomeOf(text: string, finished: boolean): Outcome {
    if (text.length > MAX_LINE_LENGTH) return TOO_LONG;
    if (this.prefixes > 0) {
      const outcome = this.readBehind(text, this.prefixes, finished);
      if (outcome !== null && !('reason' in outcome)) return outcome;
    }
    let message = text;
    let outcome = this.readMessage(text, finished);
    for (let prefixes = 1; 'reason' in outcome && prefixes <= MAX_PREFIXES; prefixes += 1) {
      const next = peeled(message);
      if (next === null) return outcome;
      const behind = this.readPart(next, finished);
      if (!('reason' in behind)) this.prefixes = prefixes;
      if (!('reason' in behind) || next.isGuess !== true) outcome = behind;
      message = next.text;
    }
    return outcome;
  }

  /** Reads what is behind a number of prefixes; null for a line without them. */
  private readBehind(text: string, prefixes: number, finished: boolean): Outcome | null {
    let next = peeled(text);
    for (let count = 1; count < prefixes && next !== null; count += 1) next = peeled(next.text);
    return next && this.readPart(next, finished);
  }

  private readPart({ text, stream, isPart }: Peeled, finished: boolean): Outcome {
    if (stream === undefined) return this.readMessage(text, finished);
    const line = (this.parts.get(stream) ?? '') + text;
    if (isPart === true) {
      this.parts.set(stream, line.slice(0, MAX_LINE_LENGTH + 1));
      return PART;
    }
    this.parts.delete(stream);
    return line.length > MAX_LINE_LENGTH ? TOO_LONG : this.readMessage(line, finished);
  }

  private readMessage(text: string, finished: boolean): Outcome {
    const colon = text.indexOf(':');
    const number = colon > 0 && colon <= MAX_NUMBER_LENGTH ? lineNumberOf(text, this.lineNumber) : null;
    if (number !== null) {
      this.lineNumber = number;
      return this.readMessage(text.slice(colon + 1), finished);
    }
    const isJson = text.startsWith('{') || text.startsWith('[{');
    const isEntry =
      isJson ||
      this.format?.kind === 'json' ||
      (text.endsWith('}') && BEFORE_ENTRY.test(text.slice(0, text.indexOf('{'))));
    if (isEntry && this.format?.kind !== 'text') {
      const found = findEntries(text);
      if (!('reason' in found)) return this.readEntries(found, finished);
      if (isJson || this.format !== null) return found;
    }
    if (text.startsWith('==> ') && FILE_HEADER.test(text)) return { leftOut: 'header lines' };
    const parsed = this.format === null ? this.readText(text, finished) : this.text!.read(text, finished);
    if (!isJson || !('reason' in parsed)) return parsed;
    const found = findEntries(text);
    return 'reason' in found ? parsed : this.readEntries(found, finished);
  }

  private readText(text: string, finished: boolean): ParsedLine {
    const parsed = this.text?.read(text, finished);
    if (!finished && parsed !== undefined && this.isCut(text, parsed)) return CUT;
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

  /** Whether the end of a log lacks the user agent that the lines before it have. */
  private isCut(text: string, parsed: ParsedLine): boolean {
    const hasUserAgents = this.text?.format?.name.endsWith('combined') === true;
    return hasUserAgents && 'line' in parsed && parsed.line.userAgent === undefined && !text.endsWith('"');
  }

  private readRecords(entry: Entry, finished: boolean): Outcome {
    return severalOf(entriesOf(entry).map(members), '.records[]', (each) => this.readEntry(each, '', finished));
  }

  private readEntries({ entries, before, filter }: Entries, finished: boolean): Outcome {
    if (entries.length === 1) return this.readEntry(entries[0]!, before, finished);
    return severalOf(entries, filter, (entry) => this.readEntry(entry, '', true));
  }

  /** Reads an object of the given format or any known one, or what it wraps. */
  private readEntry(entry: Entry, before: string, finished: boolean): Outcome {
    const format = this.format?.kind === 'json' ? this.format : this.format === null ? formatOf(entry) : undefined;
    const parsed = format?.read(entry, before);
    if (parsed !== undefined && !('reason' in parsed)) {
      this.found = format!;
      return parsed;
    }
    if (this.depth >= MAX_WRAPPERS) return parsed ?? unknownObject(entry);
    const inner = (this.inner ??= new LogParser(this.format, this.depth + 1));
    const wrapped = inner.readWrapped(entry, finished);
    if (wrapped === null) return parsed ?? unknownObject(entry);
    if ('reason' in wrapped) return parsed ?? wrapped;
    this.found = inner.found;
    return wrapped;
  }

  /** Reads what an object wraps; null if it wraps nothing. */
  private readWrapped(entry: Entry, finished: boolean): Outcome | null {
    if (entry['messageType'] === 'CONTROL_MESSAGE') return { leftOut: 'a control message of CloudWatch' };
    const events = eventsIn(entry);
    if (events !== null) {
      return severalOf(events, '.logEvents[].message', (event) => this.outcomeOf(utf8Bytes(String(event)), true));
    }
    const wrapped = wrappedIn(entry);
    if (wrapped === null) return null;
    let failed: Outcome | null = null;
    for (const candidate of wrapped.candidates) {
      const outcome =
        typeof candidate === 'string'
          ? this.readLines(candidate, wrapped, finished)
          : this.readEntry(candidate, '', finished);
      if (!('reason' in outcome)) return outcome;
      failed ??= outcome;
    }
    return failed;
  }

  private readLines(value: string, { stream = '', isPart = false }: Wrapped, finished: boolean): Outcome {
    if (value.length <= MAX_LINE_LENGTH && (isPart || this.parts.has(stream)))
      return this.readPart({ text: utf8Bytes(value).trimEnd(), stream, isPart }, finished);
    if (value.length > MAX_TEXT_LENGTH) return TOO_LONG;
    const lines = value.split(LINE_ENDS).filter((line) => line.trim() !== '');
    if (lines.length < 2) return this.outcomeOf(utf8Bytes(lines[0] ?? '').trimEnd(), finished);
    return severalOf(lines, '.', (line) => this.outcomeOf(utf8Bytes(line), true));
  }
}

function severalOf<T>(items: readonly T[], filter: string, read: (item: T) => Outcome): Outcome {
  if (items.length > MAX_LINES) return { reason: `more than ${MAX_LINES} lines in one record` };
  const lines = items.flatMap((item) => {
    const outcome = read(item);
    return 'lines' in outcome ? outcome.lines : [outcome];
  });
  return lines.length === 1 ? lines[0]! : { lines: lines.slice(0, MAX_LINES), filter };
}

const formatOf = (entry: Entry): JsonFormat | undefined => JSON_FORMATS.find((each) => each.recognizes(entry));

function unknownObject(entry: Entry): ParsedLine {
  const names = Object.keys(entry);
  const shown = names.slice(0, MAX_SHOWN).join(', ');
  return {
    reason: `${UNKNOWN_OBJECT}, with ${shown || 'no members'}${names.length > MAX_SHOWN ? ', …' : ''}`,
  };
}

interface Entries {
  /** At least one. */
  entries: Entry[];
  before: string;
  filter: string;
}

/** Returns the objects at a line's end, with what is in front of them: syslog's header, or a console's time and level. */
function findEntries(text: string): Entries | { reason: string } {
  const brace = text.indexOf('{');
  const start = brace > 0 && text[brace - 1] === '[' ? brace - 1 : brace;
  const value = brace === -1 ? undefined : parsedJson(start === 0 ? text : text.slice(start));
  if (value === undefined) return { reason: 'not a whole JSON object' };
  const found = entriesOf(value);
  const entries = found.map(members);
  if (entries.length === 0 || entries.some((entry, index) => entry !== found[index]))
    return { reason: 'not a JSON object' };
  return { entries, before: text.slice(0, start), filter: Array.isArray(value) ? '.[]' : '.records[]' };
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
  // Most lines are a single object.
  const isFlat = text.lastIndexOf('{') <= 0 && !text.includes('[');
  return !isFlat && isDeeperThan(value, MAX_DEPTH) ? undefined : value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(decodeBytes(text));
  } catch {
    return text.includes('\\x') ? parsedWithHexEscapes(text) : undefined;
  }
}

function isDeeperThan(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (limit === 0) return true;
  // Object.values takes three times as long.
  for (const key in value) if (isDeeperThan((value as Entry)[key], limit - 1)) return true;
  return false;
}

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
