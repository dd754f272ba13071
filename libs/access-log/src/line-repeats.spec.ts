import { RunLines, type LogLines, type VisitLine } from './line-repeats.js';

const toLines = (texts: string): VisitLine[] =>
  texts.split('').map((json, index) => ({ line: {} as VisitLine['line'], number: index + 1, json, repeats: 0 }));
const countRepeats = (log: LogLines, texts: string): string =>
  log
    .count(toLines(texts))
    .map(({ json, repeats }) => `${json}${repeats}`)
    .join(' ');

it('counts repeated lines in a log', () => {
  const log = new RunLines(false).startLog();
  expect(countRepeats(log, 'abaa')).toBe('a0 b0 a1 a2');
  expect(countRepeats(log, 'ba')).toBe('b1 a3');
});

it('counts lines that differ only in the cache result as identical', () => {
  const log = new RunLines(false).startLog();
  const lines = [...toLines('abc')].map((line, index) => ({
    ...line,
    json: `{"request_path":"/"${['', ',"response_cache":"hit"', ',"response_cache":"miss"'][index]}}`,
  }));
  expect(log.count(lines).map(({ repeats }) => repeats)).toEqual([0, 1, 2]);
});

it('restarts the count for each log', () => {
  const run = new RunLines(false);
  expect([countRepeats(run.startLog(), 'aa'), countRepeats(run.startLog(), 'aab')]).toEqual(['a0 a1', 'a0 a1 b0']);
});

it('omits lines that were copied from an earlier log in the same run', () => {
  for (const copy of ['abcde', 'ab', 'bcd', 'ace', 'edcba']) {
    const run = new RunLines(true);
    countRepeats(run.startLog(), 'abcde');
    expect(countRepeats(run.startLog(), copy)).toBe('');
  }
  const run = new RunLines(true);
  countRepeats(run.startLog(), 'abcaa');
  expect(countRepeats(run.startLog(), 'xabcaaay')).toBe('x0 a3 y0');
});

it('omits the rest of a copied log in a later chunk', () => {
  const run = new RunLines(true);
  countRepeats(run.startLog(), 'abc');
  const copy = run.startLog();
  expect([countRepeats(copy, 'ab'), countRepeats(copy, 'c')]).toEqual(['', '']);
});

it('counts identical lines in different logs as repeats if neither log is a copy', () => {
  const run = new RunLines(true);
  expect(countRepeats(run.startLog(), 'abca')).toBe('a0 b0 c0 a1');
  expect(countRepeats(run.startLog(), 'axyz')).toBe('a2 x0 y0 z0');
  expect(countRepeats(run.startLog(), 'vwaua')).toBe('v0 w0 a3 u0 a4');
  // A new run starts counting from 0.
  expect(countRepeats(new RunLines(true).startLog(), 'axyz')).toBe('a0 x0 y0 z0');
});

it("doesn't mistake lines in concurrently read logs for copies", () => {
  const run = new RunLines(true);
  const [one, other] = [run.startLog(), run.startLog()];
  expect([
    countRepeats(one, 'ab'),
    countRepeats(other, 'cd'),
    countRepeats(one, 'ec'),
    countRepeats(other, 'fg'),
  ]).toEqual(['a0 b0', 'c0 d0', 'e0 c1', 'f0 g0']);
});
