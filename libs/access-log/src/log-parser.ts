import { apacheFormats } from './formats/apache.js';
import { JSON_FORMATS, TEXT_FORMATS } from './formats/formats.js';
import {
  toEntry,
  type Entry,
  type JsonFormat,
  type LineReader,
  type LogFormat,
  type TextFormat,
} from './formats/log-format.js';
import { MAX_LINE_LENGTH } from './limits.js';
import { parseLineNumber, stripPrefix, type StrippedLine } from './line-prefix.js';
import type { ParsedLine } from './log-line.js';
import { readLine } from './plain-line.js';
import { LINE_ENDS } from './line-splitter.js';
import { decodeUtf8, encodeUtf8 } from './quoted-field.js';
import { extractEvents, unwrap, type Wrapped } from './wrapped-lines.js';

/** Start of the reason for objects that aren't in any known format. */
export const UNKNOWN_OBJECT = 'JSON object in an unknown format';

/** Time and level in front of an entry, as written by Caddy's console encoder. */
const BEFORE_ENTRY =
  /^\d{4}\/\d\d\/\d\d [\d:.]+\t(?:\p{Cc}\[\d+m)?(?:debug|info|warn|error)(?:\p{Cc}\[\d+m)?\t[\w. \t]*$/iu;
/** Header that `tail` prints before each file. */
const FILE_HEADER = /^==> .* <==$/;

/** Maximum nesting depth of JSON values. */
const MAX_DEPTH = 64;

/** Maximum number of keys to list in a reason. */
const MAX_SHOWN = 8;
const MAX_PREFIXES = 6;
/** Maximum number of digits in a line number added by grep. */
const MAX_NUMBER_LENGTH = 7;
const MAX_WRAPPERS = 4;
/** Limits for a record that contains several lines. */
const MAX_LINES = 10_000;
const MAX_TEXT_LENGTH = 2 ** 20;
const PARTIAL: ParsedLine = { leftOut: 'partial lines that a later line completes' };
const TRUNCATED: ParsedLine = { reason: 'the end of the line is missing' };
const TOO_LONG: ParsedLine = { reason: `longer than ${MAX_LINE_LENGTH / 1_024} KiB` };

/** The common and combined formats share one parser, with or without a virtual host. */
const readApache: LineReader = (text, finished) => readLine(text, 'auto', finished);

/** Results for a record that contains several lines. */
interface MultipleLines {
  lines: ParsedLine[];
  /** jq filter that prints each entry on its own line. */
  filter: string;
}
type Outcome = ParsedLine | MultipleLines;

/**
 * Parses the lines of a single log in order. Removes prefixes and wrapper objects added by loggers and collectors.
 *
 * By default, detects the format of each line. A log can contain several formats, for example if the configuration
 * changed or two servers write to the same file.
 */
export class LogParser {
  /**
   * Most recent text format and its reader, or null before the first line. Tried first, because most logs contain only
   * one format.
   *
   * `format` is null for Apache lines that contain extra fields.
   */
  private text: { format: TextFormat | null; read: LineReader } | null = null;
  private found: LogFormat | null = null;
  /**
   * Number of prefixes on an earlier line. The same number is tried first for the next line, because all lines in a log
   * usually have the same prefixes.
   */
  private prefixes = 0;
  /** Most recent line number added by grep, or 0 if there was none. */
  private lineNumber = 0;
  /** Partial lines by stream. */
  private readonly parts = new Map<string, string>();
  private inner: LogParser | undefined;

  /**
   * @param format Null to detect the format of each line.
   * @param depth Number of objects that wrap the lines.
   */
  constructor(
    private readonly format: LogFormat | null = null,
    private readonly depth = 0,
  ) {
    if (format?.kind === 'text') this.text = { format, read: format.open() };
  }

  /**
   * Configured format, or the detected format of the last line. Null before the first line.
   *
   * If a log mixes Apache formats, this is always the first of them, because they share a parser.
   */
  get lastFormat(): LogFormat | null {
    return this.format ?? this.found;
  }

  /**
   * Parses the next line.
   *
   * @param text Line without its line ending, as a Latin-1 string.
   * @param finished False for a last line that doesn't end in a line feed. Its user agent may be truncated, so the
   * closing quote is required.
   */
  read(text: string, finished = true): ParsedLine {
    const outcome = this.parseText(text, finished);
    if (!('lines' in outcome)) return outcome;
    return {
      reason: `${outcome.lines.length} entries in one line. Put each entry on its own line, for example with jq -c '${outcome.filter}'`,
    };
  }

  /** Parses an object or a text and returns all lines in it. {@link read}, in contrast, accepts only a single line. */
  readAll(item: string | Entry, finished = true): ParsedLine[] {
    const outcome = typeof item === 'string' ? this.textOutcome(item, finished) : this.readRecords(item, finished);
    return 'lines' in outcome ? outcome.lines : [outcome];
  }

  private textOutcome(text: string, finished: boolean): Outcome {
    if (!LINE_ENDS.test(text) || text.length > MAX_LINE_LENGTH) return this.parseText(text, finished);
    const lines = text.split(LINE_ENDS).filter((line) => line.trim() !== '');
    return readSeveral(lines, '.', (line) => this.parseText(line, finished));
  }

  private parseText(text: string, finished: boolean): Outcome {
    if (text.length > MAX_LINE_LENGTH) return TOO_LONG;
    if (this.prefixes > 0) {
      const outcome = this.readAfterPrefixes(text, this.prefixes, finished);
      if (outcome !== null && !('reason' in outcome)) return outcome;
    }
    let message = text;
    let outcome = this.readMessage(text, finished);
    for (let prefixes = 1; 'reason' in outcome && prefixes <= MAX_PREFIXES; prefixes += 1) {
      const next = stripPrefix(message);
      if (next === null) return outcome;
      const behind = this.readPart(next, finished);
      if (!('reason' in behind)) this.prefixes = prefixes;
      if (!('reason' in behind) || next.isGuess !== true) outcome = behind;
      message = next.text;
    }
    return outcome;
  }

  /** Parses a line after removing the given number of prefixes. Returns null if it has fewer. */
  private readAfterPrefixes(text: string, prefixes: number, finished: boolean): Outcome | null {
    let next = stripPrefix(text);
    for (let count = 1; count < prefixes && next !== null; count += 1) next = stripPrefix(next.text);
    return next && this.readPart(next, finished);
  }

  private readPart({ text, stream, isPart }: StrippedLine, finished: boolean): Outcome {
    if (stream === undefined) return this.readMessage(text, finished);
    const line = (this.parts.get(stream) ?? '') + text;
    if (isPart === true) {
      this.parts.set(stream, line.slice(0, MAX_LINE_LENGTH + 1));
      return PARTIAL;
    }
    this.parts.delete(stream);
    return line.length > MAX_LINE_LENGTH ? TOO_LONG : this.readMessage(line, finished);
  }

  private readMessage(text: string, finished: boolean): Outcome {
    const colon = text.indexOf(':');
    const number = colon > 0 && colon <= MAX_NUMBER_LENGTH ? parseLineNumber(text, this.lineNumber) : null;
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
    const parseJson = this.format === null ? this.readText(text, finished) : this.text!.read(text, finished);
    if (!isJson || !('reason' in parseJson)) return parseJson;
    const found = findEntries(text);
    return 'reason' in found ? parseJson : this.readEntries(found, finished);
  }

  private readText(text: string, finished: boolean): ParsedLine {
    const parseJson = this.text?.read(text, finished);
    if (!finished && parseJson !== undefined && this.isTruncated(text, parseJson)) return TRUNCATED;
    if (parseJson !== undefined && !('reason' in parseJson)) {
      this.found = this.text!.format;
      return parseJson;
    }
    const format = TEXT_FORMATS.find((each) => each !== this.text?.format && each.recognizes(text)) ?? null;
    const read = format === null || apacheFormats.includes(format) ? readApache : format.open();
    const changed = read(text, finished);
    if (parseJson !== undefined && 'reason' in changed) return parseJson;
    if (!('reason' in changed)) {
      this.text = { format, read };
      this.found = format;
    }
    return changed;
  }

  /** Returns true if an unfinished line lacks the user agent that the log's format contains. */
  private isTruncated(text: string, parseJson: ParsedLine): boolean {
    const hasUserAgents = this.text?.format?.name.endsWith('combined') === true;
    return hasUserAgents && 'line' in parseJson && parseJson.line.userAgent === undefined && !text.endsWith('"');
  }

  private readRecords(entry: Entry, finished: boolean): Outcome {
    const entries = toEntries(entry);
    if (entries.length === 1) return this.readEntry(toEntry(entries[0]), '', finished);
    return readSeveral(entries, '.records[]', (each) => this.readEntry(toEntry(each), '', finished));
  }

  private readEntries({ entries, before, filter }: Entries, finished: boolean): Outcome {
    if (entries.length === 1) return this.readEntry(entries[0]!, before, finished);
    return readSeveral(entries, filter, (entry) => this.readEntry(entry, '', true));
  }

  /** Parses an object in the configured format or any known format. Falls back to the content that it wraps. */
  private readEntry(entry: Entry, before: string, finished: boolean): Outcome {
    const format = this.format?.kind === 'json' ? this.format : this.format === null ? findFormat(entry) : undefined;
    const parseJson = format?.read(entry, before);
    if (parseJson !== undefined && !('reason' in parseJson)) {
      this.found = format!;
      return parseJson;
    }
    if (this.depth >= MAX_WRAPPERS) return parseJson ?? unknownObject(entry);
    const inner = (this.inner ??= new LogParser(this.format, this.depth + 1));
    const wrapped = inner.readWrapped(entry, finished);
    if (wrapped === null) return parseJson ?? unknownObject(entry);
    if ('reason' in wrapped) return parseJson ?? wrapped;
    this.found = inner.found;
    return wrapped;
  }

  /** Parses the content that an object wraps. Returns null if it isn't a wrapper. */
  private readWrapped(entry: Entry, finished: boolean): Outcome | null {
    if (entry['messageType'] === 'CONTROL_MESSAGE') return { leftOut: 'CloudWatch control messages' };
    const events = extractEvents(entry);
    if (events !== null) {
      return readSeveral(events, '.logEvents[].message', (event) => this.parseText(encodeUtf8(String(event)), true));
    }
    const wrapped = unwrap(entry);
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
      return this.readPart({ text: encodeUtf8(value).trimEnd(), stream, isPart }, finished);
    if (value.length > MAX_TEXT_LENGTH) return TOO_LONG;
    const lines = value.split(LINE_ENDS).filter((line) => line.trim() !== '');
    if (lines.length < 2) return this.parseText(encodeUtf8(lines[0] ?? '').trimEnd(), finished);
    return readSeveral(lines, '.', (line) => this.parseText(encodeUtf8(line), true));
  }
}

function readSeveral<T>(items: readonly T[], filter: string, read: (item: T) => Outcome): Outcome {
  if (items.length > MAX_LINES) return { reason: `more than ${MAX_LINES} lines in one record` };
  const lines = items.flatMap((item) => {
    const outcome = read(item);
    return 'lines' in outcome ? outcome.lines : [outcome];
  });
  return lines.length === 1 ? lines[0]! : { lines: lines.slice(0, MAX_LINES), filter };
}

const findFormat = (entry: Entry): JsonFormat | undefined => JSON_FORMATS.find((each) => each.recognizes(entry));

function unknownObject(entry: Entry): ParsedLine {
  const names = Object.keys(entry);
  const shown = names.slice(0, MAX_SHOWN).join(', ');
  return {
    reason: `${UNKNOWN_OBJECT} (keys: ${shown || 'none'}${names.length > MAX_SHOWN ? ', …' : ''})`,
  };
}

interface Entries {
  /** At least one entry. */
  entries: Entry[];
  before: string;
  filter: string;
}

/**
 * Finds the objects at the end of a line. The text before them can be a syslog header, or the time and level in console
 * output.
 */
function findEntries(text: string): Entries | { reason: string } {
  const brace = text.indexOf('{');
  const start = brace > 0 && text[brace - 1] === '[' ? brace - 1 : brace;
  const value = brace === -1 ? undefined : parseJsonLine(start === 0 ? text : text.slice(start));
  if (value === undefined) return { reason: 'incomplete or invalid JSON object' };
  const found = toEntries(value);
  const entries = found.map(toEntry);
  if (entries.length === 0 || entries.some((entry, index) => entry !== found[index]))
    return { reason: 'not a JSON object' };
  return { entries, before: text.slice(0, start), filter: Array.isArray(value) ? '.[]' : '.records[]' };
}

/** Returns the items of an array, the items in Azure's `records`, or the document itself as the only item. */
export function toEntries(value: unknown): readonly unknown[] {
  const { records } = toEntry(value);
  return Array.isArray(value) ? value : Array.isArray(records) ? records : [value];
}

/**
 * Parses a line as JSON. Also accepts the hex escapes that nginx writes without `escape=json`.
 *
 * @param text Latin-1 string (one character per byte).
 * @returns undefined if the text isn't JSON, or if it's nested too deeply for recursive processing.
 */
export function parseJsonLine(text: string): unknown {
  const value = parseJson(text);
  // Fast path: most lines are a single object without nesting.
  const isFlat = text.lastIndexOf('{') <= 0 && !text.includes('[');
  return !isFlat && isDeeperThan(value, MAX_DEPTH) ? undefined : value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(decodeUtf8(text));
  } catch {
    return text.includes('\\x') ? parseWithHexEscapes(text) : undefined;
  }
}

function isDeeperThan(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (limit === 0) return true;
  // Faster than `Object.values`.
  for (const key in value) if (isDeeperThan((value as Entry)[key], limit - 1)) return true;
  return false;
}

/** Parses invalid JSON that contains `\xNN` escapes, which nginx writes without `escape=json`. */
function parseWithHexEscapes(text: string): unknown {
  const json = text.replaceAll(/\\(?:x([\dA-Fa-f]{2})|.)/gs, (escape, hex: string | undefined) =>
    hex === undefined ? escape : `\\u00${hex}`,
  );
  try {
    return JSON.parse(json, (_, value: unknown) => (typeof value === 'string' ? decodeUtf8(value) : value));
  } catch {
    return undefined;
  }
}
