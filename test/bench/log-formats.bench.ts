/**
 * Parses sample lines in each access log format, like a dry run of `logs import`. The peer does the minimum work for a
 * line: `JSON.parse`, or splitting text at its quotes.
 *
 * Requires a build. Run with `node test/bench/log-formats.bench.ts`.
 */
import { printRows, type Row } from './compare.ts';
import { readSampleLines } from '../kit/log-samples.ts';
import { compareWork, OUR_LIBS } from './compare-functions.ts';

/** Number of lines per pass. The samples have fewer lines, so these are repeated. */
const LINES = 500;
/** Lines per second that the most common formats must reach on one core. */
const GOAL = 100_000;
const FORMATS_WITH_GOAL = new Set(['combined', 'caddy']);

/** Returns true for valid JSON lines, which have no syslog header and none of nginx's custom escapes. */
const isJson = (line: string): boolean => line.startsWith('{') && !line.includes('\\x');

const rows: Row[] = [];
for (const format of OUR_LIBS.accessLog.LOG_FORMATS) {
  const lines = readSampleLines(format).filter((line) => format.kind === 'text' || isJson(line));
  const what = `${format.name} lines`;
  const found = await compareWork({
    what,
    unit: 'lines',
    items: Array.from({ length: LINES }, (_, index) => lines[index % lines.length]!),
    createFunction: ({ accessLog }) => {
      const parser = new accessLog.LogParser();
      return (line) => parser.read(line);
    },
    peers: [
      format.kind === 'json'
        ? { peer: 'JSON.parse', run: (line) => JSON.parse(line) as unknown }
        : { peer: 'splitting at quotes', run: (line) => line.split('"') },
    ],
  });
  rows.push(...found);
  if (!FORMATS_WITH_GOAL.has(format.name)) continue;
  rows.push(...found.map((row) => ({ ...row, peer: 'lines/s', theirs: row.ours.map(() => GOAL), goal: 1 })));
}
printRows(
  'access log formats',
  rows.toSorted((one, other) => one.peer.localeCompare(other.peer)),
);
