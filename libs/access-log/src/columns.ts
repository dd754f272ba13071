import type { LineReader, TextFormat } from './formats/log-format.js';
import { LogFields, type Meaning } from './log-fields.js';

/**
 * Column-based log format. Header lines such as `#Fields: date time c-ip …` can name the columns
 * (www.w3.org/TR/WD-logfile).
 */
export interface ColumnsDialect {
  separator: ' ' | '\t';
  /** Returns the meaning of a lowercase column name, or null to ignore the column. */
  meaningOf: (name: string) => Meaning;
  decode: (text: string, meaning: Meaning) => string;
  /** Default columns for logs without header lines. Extra columns are ignored. Empty if header lines are required. */
  defaultColumns: readonly string[];
  /** Returns true if the column names belong to this format. */
  matches: (names: readonly string[]) => boolean;
}

const FIELDS = '#Fields:';
const OTHER_COLUMNS = 'the columns belong to another format';

/** Returns a reader for a single log. Every `#Fields:` line changes the columns for the lines that follow. */
export function openColumns(dialect: ColumnsDialect): LineReader {
  const { separator, meaningOf, decode, defaultColumns: usual, matches: isOwn } = dialect;
  let columns = usual.map(meaningOf);
  let hasHeader = false;
  return (text) => {
    if (text.startsWith('#')) {
      if (!text.startsWith(FIELDS)) return { leftOut: 'header lines' };
      const names = columnNames(text);
      if (!isOwn(names)) return { reason: OTHER_COLUMNS };
      columns = names.map(meaningOf);
      hasHeader = true;
      return { leftOut: 'header lines' };
    }
    const texts = text.split(separator, columns.length + 1);
    if (columns.length === 0) return { reason: 'no #Fields line above this line' };
    if (texts.length < columns.length || (hasHeader && texts.length > columns.length)) {
      return { reason: `the number of fields differs from the ${columns.length} listed in #Fields` };
    }
    const fields = new LogFields();
    // Times are in UTC. The columns don't include a time zone.
    fields.set('zone', 'Z');
    for (const [index, meaning] of columns.entries()) fields.set(meaning, decode(texts[index]!, meaning));
    return fields.line();
  };
}

/** Parses column names from a `#Fields:` line or a plain list of names, and converts them to lowercase. */
export const columnNames = (text: string): string[] =>
  (text.startsWith(FIELDS) ? text.slice(FIELDS.length) : text)
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((name) => name !== '');

/** Decodes percent-encoding. Returns the text unchanged if the result isn't valid UTF-8. */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Returns a copy of a format with preset columns, for logs without a `#Fields:` line. For HAProxy, the columns are the
 * captured headers. Returns a reason if the columns belong to another format, or null if the format doesn't support
 * `#Fields:` lines.
 */
export function withColumns(format: TextFormat, names: string): { format: TextFormat } | { reason: string } | null {
  const header = `${FIELDS} ${names}`;
  const outcome = format.open()(header, true);
  if ('reason' in outcome) return outcome.reason === OTHER_COLUMNS ? outcome : null;
  const open = (): LineReader => {
    const read = format.open();
    read(header, true);
    return read;
  };
  return { format: { ...format, open } };
}
