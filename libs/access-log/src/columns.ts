import type { LineReader, TextFormat } from './formats/log-format.js';
import { LogFields, type Meaning } from './log-fields.js';

/**
 * Format with one column per field, optionally named by header lines: `#Fields: date time c-ip …`
 * (www.w3.org/TR/WD-logfile).
 */
export interface ColumnsDialect {
  separator: ' ' | '\t';
  /** Returns the meaning of a lowercase column name, or null to ignore the column. */
  meaningOf: (name: string) => Meaning;
  decode: (text: string, meaning: Meaning) => string;
  /** Columns of a log without header lines. More may follow. Empty if the format requires header lines. */
  usual: readonly string[];
  /** Returns whether column names belong to this format. */
  isOwn: (names: readonly string[]) => boolean;
}

const FIELDS = '#Fields:';
const OTHER_COLUMNS = 'columns of another format';

/** Returns a reader for one log. A later `#Fields:` line may change the columns. */
export function openColumns(dialect: ColumnsDialect): LineReader {
  const { separator, meaningOf, decode, usual, isOwn } = dialect;
  let columns = usual.map(meaningOf);
  let areNamed = false;
  return (text) => {
    if (text.startsWith('#')) {
      if (!text.startsWith(FIELDS)) return { leftOut: 'header lines' };
      const names = columnNames(text);
      if (!isOwn(names)) return { reason: OTHER_COLUMNS };
      columns = names.map(meaningOf);
      areNamed = true;
      return { leftOut: 'header lines' };
    }
    const texts = text.split(separator, columns.length + 1);
    if (columns.length === 0) return { reason: 'no #Fields line before this one' };
    if (texts.length < columns.length || (areNamed && texts.length > columns.length)) {
      return { reason: `not the ${columns.length} fields that #Fields names` };
    }
    const fields = new LogFields();
    // No column contains the time zone. Times are in UTC.
    fields.set('zone', 'Z');
    for (const [index, meaning] of columns.entries()) fields.set(meaning, decode(texts[index]!, meaning));
    return fields.line();
  };
}

/** Returns lowercase column names from a `#Fields:` line, or from a plain list of names. */
export const columnNames = (text: string): string[] =>
  (text.startsWith(FIELDS) ? text.slice(FIELDS.length) : text)
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((name) => name !== '');

/** Decodes percent-encoding. Returns the text unchanged if it isn't valid UTF-8. */
export function percentDecoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Returns a copy of a format with preset columns, for logs without the header line that names them. For HAProxy, the
 * columns are its captured headers. Returns a reason if the columns belong to another format, or null if the format has
 * no such header line.
 */
export function withColumns(format: TextFormat, names: string): { format: TextFormat } | { reason: string } | null {
  const header = `${FIELDS} ${names}`;
  const answer = format.open()(header, true);
  if ('reason' in answer) return answer.reason === OTHER_COLUMNS ? answer : null;
  const open = (): LineReader => {
    const read = format.open();
    read(header, true);
    return read;
  };
  return { format: { ...format, open } };
}
