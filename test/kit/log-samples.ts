import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOG_FORMATS, LogParser, toVisit, type LogFormat, type LogLine, type LogVisit } from '#libs/access-log';

const SAMPLES_FOLDER = join(import.meta.dirname, '../../libs/access-log/src/formats/samples');
const DOCS_PAGE = join(import.meta.dirname, '../../docs/connect/log-files.md');

/** Visit read from a line, or the reason why the line was skipped. */
type Outcome = LogVisit | string;

/** Returns the lines of a format's sample log. Each character is one byte. */
export function readSampleLines({ name }: LogFormat): string[] {
  const text = readFileSync(join(SAMPLES_FOLDER, `${name}.log`), 'latin1');
  return text.replace(/\r?\n$/, '').split(/\r?\n/);
}

export const readExpectedOutcomes = ({ name }: LogFormat): unknown =>
  JSON.parse(readFileSync(join(SAMPLES_FOLDER, `${name}.json`), 'utf8'));

/** @throws {Error} if a line is unreadable */
export function parseOutcomes(parser: LogParser, lines: readonly string[]): Outcome[] {
  return parseLines(parser, lines).map((line) => (typeof line === 'string' ? line : toVisit(line)));
}

function parseLines(parser: LogParser, lines: readonly string[]): (LogLine | string)[] {
  return lines.map((text) => {
    const parsed = parser.read(text);
    if ('reason' in parsed) throw new Error(`${parsed.reason}: ${text}`);
    return 'leftOut' in parsed ? `skipped: ${parsed.leftOut}` : parsed.line;
  });
}

function toTableRow(format: LogFormat): string[] {
  return [`\`${format.name}\``, format.title, format.verifiedBy, format.limits];
}

/** Returns the formats table that `docs/connect/log-files.md` must contain. */
export const createFormatsTable = (): string[][] => [
  ['`--format`', 'Log source', 'Verified by', 'Limits'],
  ...LOG_FORMATS.map(toTableRow),
];

const TABLE_PATTERN = /(?:^\|.*\n)+/m;

export function readDocumentedTable(): string[][] {
  const rows = TABLE_PATTERN.exec(readFileSync(DOCS_PAGE, 'utf8'))![0].trim().split('\n');
  const cells = rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  return cells.filter((row) => !row.every((cell) => /^-+$/.test(cell)));
}

/** Updates the expected outcomes and the formats table in the docs. Review the changes before you commit them. */
export function updateSamples(): void {
  for (const format of LOG_FORMATS) {
    const outcomes = parseOutcomes(new LogParser(format), readSampleLines(format));
    writeFileSync(join(SAMPLES_FOLDER, `${format.name}.json`), `${JSON.stringify(outcomes, null, 2)}\n`);
  }
  const [header, ...rows] = createFormatsTable();
  const table = [header!, header!.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('');
  writeFileSync(
    DOCS_PAGE,
    readFileSync(DOCS_PAGE, 'utf8').replace(TABLE_PATTERN, () => table),
  );
}
