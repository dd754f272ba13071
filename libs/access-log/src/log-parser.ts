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

/** Start of the reason for an object that no format recognizes. */
export const UNKNOWN_OBJECT = 'an object of no known format';

/** Time and level from Caddy's console encoder. Needed for entries without a time. */
const BEFORE_ENTRY =
  /^\d{4}\/\d\d\/\d\d [\d:.]+\t(?:\p{Cc}\[\d+m)?(?:debug|info|warn|error)(?:\p{Cc}\[\d+m)?\t[\w. \t]*$/iu;
/** Header that `tail` prints before each file. */
const FILE_HEADER = /^==> .* <==$/;

/** Maximum nesting of objects and arrays. */
const MAX_DEPTH = 64;

/** Maximum number of member names in a reason. */
const MAX_SHOWN = 8;
const MAX_PREFIXES = 6;
/** Maximum number of digits in a line number. */
const MAX_NUMBER_LENGTH = 7;
const MAX_WRAPPERS = 4;
/** Limits of a record with several lines. */
const MAX_LINES = 10_000;
const MAX_TEXT_LENGTH = 2 ** 20;
const PART: ParsedLine = { leftOut: 'parts of a line that a later part completes' };
const CUT: ParsedLine = { reason: 'the end of the line is missing' };
const TOO_LONG: ParsedLine = { reason: `longer than ${MAX_LINE_LENGTH / 1_024} KiB` };

/** Common and combined formats share one parser, with or without a virtual host. */
const readApache: LineReader = (text, finished) => readLine(text, 'auto', finished);

/** Results for a record with several lines. */
interface Several {
  lines: ParsedLine[];
  /** jq filter that prints each entry on a separate line. */
  filter: string;
}
type Outcome = ParsedLine | Several;

/**
 * Reads the lines of one log in order. Removes prefixes and wrapper objects that loggers and collectors add.
 *
 * By default, the format of each line is detected, because a log can contain several formats. Examples are a rotated
 * log and a log that two servers write to.
 */
export class LogParser {
  /**
   * Latest text format with its reader. Tried first, because most logs have only one format. Null before the first
   * line.
   *
   * `format` is null for Apache lines with more fields than any of the formats.
   */
  private text: { format: TextFormat | null; read: LineReader } | null = null;
  private found: LogFormat | null = null;
  /** Number of prefixes on an earlier line. Tried first, because most logs have the same prefixes on every line. */
  private prefixes = 0;
  /** Latest line number that grep added. 0 before the first. */
  private lineNumber = 0;
  /** Incomplete lines by stream. */
  private readonly parts = new Map<string, string>();
  private inner: LogParser | undefined;

  /**
   * @param format null to detect the format of each line.
   * @param depth number of objects that wrap the lines.
   */
  constructor(
    private readonly format: LogFormat | null = null,
    private readonly depth = 0,
  ) {
    if (format?.kind === 'text') this.text = { format, read: format.open() };
  }

  /**
   * The given format, or the detected format of the last line. Null before the first line.
   *
   * All Apache formats share a parser. If a log mixes them, this is the format of the first such line.
   */
  get lastFormat(): LogFormat | null {
    return this.format ?? this.found;
  }

  /**
   * Reads the next line.
   *
   * @param text line without its end, as Latin-1.
   * @param finished false for the last line of a log without a line feed. Its user agent may be cut, so it must have a
   * closing quote.
   */
  read(text: string, finished = true): ParsedLine {
    const outcome = this.outcomeOf(text, finished);
    if (!('lines' in outcome)) return outcome;
    return {
      reason: `${outcome.lines.length} entries in one line: put each on a line of its own, as jq -c '${outcome.filter}' does`,
    };
  }

  /** Reads an object, or a text like {@link read}, and returns all lines in it. */
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

  /** Reads a line without its first prefixes. Returns null if it has fewer. */
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

  /** Returns true if an unfinished line lacks the user agent that earlier lines have. */
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

  /** Reads an object in the given format or any known format, or the content that it wraps. */
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

  /** Reads the content that an object wraps. Returns null if there is none. */
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
  /** At least one entry. */
  entries: Entry[];
  before: string;
  filter: string;
}

/**
 * Returns the objects at the end of a line, and the text before them: a syslog header, or a console's time and level.
 */
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

/** Returns the items of an array, the items of Azure's `records`, or the document itself. */
export function entriesOf(value: unknown): readonly unknown[] {
  const { records } = members(value);
  return Array.isArray(value) ? value : Array.isArray(records) ? records : [value];
}

/**
 * Parses a line as JSON. Also accepts the hex escapes that nginx writes without `escape=json`.
 *
 * @param text one character per byte.
 * @returns undefined if the text isn't JSON, or if it's nested too deeply to be read recursively.
 */
export function parsedJson(text: string): unknown {
  const value = parsed(text);
  // Most lines are a single object without nesting, so skip the check for them.
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
  // Faster than `Object.values`.
  for (const key in value) if (isDeeperThan((value as Entry)[key], limit - 1)) return true;
  return false;
}

/** Parses invalid JSON with `\xNN` for bytes, which nginx writes without `escape=json`. */
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
