import { LOG_CASES, type LogCase } from '../../../test/kit/log-cases.js';
import { LineSplitter } from './line-splitter.js';
import type { LogLine } from './log-line.js';
import { LogParser } from './log-parser.js';

function read(log: string | Buffer): { lines: LogLine[]; reasons: string[] } {
  const splitter = new LineSplitter();
  const texts = splitter.push(Buffer.from(log));
  const parser = new LogParser();
  const parsed = [...texts, splitter.end() ?? ''].filter((text) => text.trim() !== '').map((text) => parser.read(text));
  return {
    lines: parsed.flatMap((outcome) => ('line' in outcome ? [outcome.line] : [])),
    reasons: parsed.flatMap((outcome) => ('reason' in outcome ? [outcome.reason] : [])),
  };
}

/** Returns the line's fields that the expected visit contains. Missing fields are null. */
const pickFields = (line: LogLine, visit: LogCase['visits'][number] | undefined): object =>
  Object.fromEntries(Object.keys(visit ?? line).map((name) => [name, line[name as keyof LogLine] ?? null]));

describe.each(Object.entries(Object.groupBy(LOG_CASES, ({ kind }) => kind)))('%s', (_, cases) => {
  it.each(cases!.map((each) => [each.name, each] as const))('%s', (__, { log, visits, unreadable }) => {
    const { lines, reasons } = read(log);
    const found = lines.map((line, index) => pickFields(line, visits[index]));
    expect({ found, unreadable: reasons.length, reasons }).toEqual({ found: visits, unreadable, reasons });
  });
});
