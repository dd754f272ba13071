import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOG_FORMATS, LogParser, toVisit, type LogFormat, type LogLine, type LogVisit } from '#libs/access-log';

const FOLDER = join(import.meta.dirname, '../../libs/access-log/src/formats/samples');
const PAGE = join(import.meta.dirname, '../../docs/connect/log-files.md');

/** Visit that was read from a line, or the reason why the line was left out. */
type Outcome = LogVisit | string;

/** Returns the lines of a format's sample, one character per byte. */
export function sampleLines({ name }: LogFormat): string[] {
  const text = readFileSync(join(FOLDER, `${name}.log`), 'latin1');
  return text.replace(/\r?\n$/, '').split(/\r?\n/);
}

export const expectedOutcomes = ({ name }: LogFormat): unknown =>
  JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8'));

/** Parses lines. @throws Error for an unreadable line. */
export function outcomesOf(parser: LogParser, lines: readonly string[]): Outcome[] {
  return linesOf(parser, lines).map((line) => (typeof line === 'string' ? line : toVisit(line)));
}

function linesOf(parser: LogParser, lines: readonly string[]): (LogLine | string)[] {
  return lines.map((text) => {
    const parsed = parser.read(text);
    if ('reason' in parsed) throw new Error(`${parsed.reason}: ${text}`);
    return 'leftOut' in parsed ? `left out: ${parsed.leftOut}` : parsed.line;
  });
}

function rowOf(format: LogFormat): string[] {
  return [`\`${format.name}\``, format.title, format.verifiedBy, format.limits];
}

/** Returns the table of formats that `docs/connect/log-files.md` must have. */
export const formatsTable = (): string[][] => [
  ['`--format`', 'Logs of', 'Verified by', 'Limits'],
  ...LOG_FORMATS.map(rowOf),
];

const TABLE = /(?:^\|.*\n)+/m;

export function documentedTable(): string[][] {
  const rows = TABLE.exec(readFileSync(PAGE, 'utf8'))![0].trim().split('\n');
  const cells = rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  return cells.filter((row) => !row.every((cell) => /^-+$/.test(cell)));
}

/** Updates the expected outcomes and the table of formats. Review the changes before you commit them. */
export function updateSamples(): void {
  for (const format of LOG_FORMATS) {
    const outcomes = outcomesOf(new LogParser(format), sampleLines(format));
    writeFileSync(join(FOLDER, `${format.name}.json`), `${JSON.stringify(outcomes, null, 2)}\n`);
  }
  const [head, ...rows] = formatsTable();
  const table = [head!, head!.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('');
  writeFileSync(
    PAGE,
    readFileSync(PAGE, 'utf8').replace(TABLE, () => table),
  );
}
