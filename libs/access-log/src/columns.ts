import type { LineReader, TextFormat } from './formats/log-format.js';
import { LogFields, type Meaning } from './log-fields.js';

/** A log whose lines are columns, which header lines can name: `#Fields: date time c-ip …` (www.w3.org/TR/WD-logfile). */
export interface ColumnsDialect {
  separator: ' ' | '\t';
  /** What the columns mean, by their names in lower case; others are passed over. */
  meaningOf: (name: string) => Meaning;
  decode: (text: string, meaning: Meaning) => string;
  /** The columns of a log without header lines; more may follow them. Empty where they are always named. */
  usual: readonly string[];
  /** Whether a line that names columns is of this format. */
  isOwn: (names: readonly string[]) => boolean;
}

const FIELDS = '#Fields:';
const OTHER_COLUMNS = 'columns of another format';

/** Returns a reader of a log of the dialect. Its columns may change in the middle. */
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
    // No column says it.
    fields.set('zone', 'Z');
    for (const [index, meaning] of columns.entries()) fields.set(meaning, decode(texts[index]!, meaning));
    return fields.line();
  };
}

/** The names in a `#Fields:` line, in lower case; what isn't one is the names alone. */
export const columnNames = (text: string): string[] =>
  (text.startsWith(FIELDS) ? text.slice(FIELDS.length) : text)
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((name) => name !== '');

/** Turns percent-encoded bytes into text; as it is where they aren't UTF-8. */
export function percentDecoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Returns a format whose logs need no line that names their columns (of HAProxy: its captured headers), as those are told
 * here; why they can't be those; null for a format without such lines.
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
