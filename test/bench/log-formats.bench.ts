/**
 * Parses lines of each access log format, like a dry run of `logs import`. The peer is the minimum work for a line:
 * `JSON.parse`, or splitting text at its quotes. The lines come from the samples.
 *
 *   node test/bench/log-formats.bench.ts      after a build
 */
import { printRows, type Row } from './compare.ts';
import { sampleLines } from '../kit/log-samples.ts';
import { compareWork, OURS } from './work.ts';

/** Lines per pass. The samples are shorter, so their lines are repeated. */
const LINES = 500;
/** Lines per second that the most common formats must reach on one core. */
const GOAL = 100_000;
const WITH_GOAL = new Set(['combined', 'caddy']);

/** Returns true for valid JSON: lines without a syslog header and without nginx's own escapes. */
const isJson = (line: string): boolean => line.startsWith('{') && !line.includes('\\x');

const rows: Row[] = [];
for (const format of OURS.accessLog.LOG_FORMATS) {
  const lines = sampleLines(format).filter((line) => format.kind === 'text' || isJson(line));
  const what = `lines of ${format.name}`;
  const found = await compareWork({
    what,
    unit: 'lines',
    items: Array.from({ length: LINES }, (_, index) => lines[index % lines.length]!),
    of: ({ accessLog }) => {
      const parser = new accessLog.LogParser();
      return (line) => parser.read(line);
    },
    peers: [
      format.kind === 'json'
        ? { peer: 'JSON.parse', run: (line) => JSON.parse(line) as unknown }
        : { peer: 'cutting at quotes', run: (line) => line.split('"') },
    ],
  });
  rows.push(...found);
  if (!WITH_GOAL.has(format.name)) continue;
  rows.push(...found.map((row) => ({ ...row, peer: 'lines/s', theirs: row.ours.map(() => GOAL), goal: 1 })));
}
printRows(
  'formats of access logs',
  rows.toSorted((one, other) => one.peer.localeCompare(other.peer)),
);
