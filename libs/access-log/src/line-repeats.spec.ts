import { RunLines, type LogLines, type VisitLine } from './line-repeats.js';

const linesOf = (texts: string): VisitLine[] =>
  texts.split('').map((json, index) => ({ line: {} as VisitLine['line'], number: index + 1, json, repeats: 0 }));
const counted = (log: LogLines, texts: string): string =>
  log
    .count(linesOf(texts))
    .map(({ json, repeats }) => `${json}${repeats}`)
    .join(' ');

it('counts repeated lines within a log', () => {
  const log = new RunLines(false).startLog();
  expect(counted(log, 'abaa')).toBe('a0 b0 a1 a2');
  expect(counted(log, 'ba')).toBe('b1 a3');
});

it('restarts the count with each log', () => {
  const run = new RunLines(false);
  expect([counted(run.startLog(), 'aa'), counted(run.startLog(), 'aab')]).toEqual(['a0 a1', 'a0 a1 b0']);
});

it('omits copies of earlier logs in the same run', () => {
  for (const copy of ['abcde', 'ab', 'bcd', 'ace', 'edcba']) {
    const run = new RunLines(true);
    counted(run.startLog(), 'abcde');
    expect(counted(run.startLog(), copy)).toBe('');
  }
  const run = new RunLines(true);
  counted(run.startLog(), 'abcaa');
  expect(counted(run.startLog(), 'xabcaaay')).toBe('x0 a3 y0');
});

it('omits the end of a copy that arrives in a separate chunk', () => {
  const run = new RunLines(true);
  counted(run.startLog(), 'abc');
  const copy = run.startLog();
  expect([counted(copy, 'ab'), counted(copy, 'c')]).toEqual(['', '']);
});

it('counts equal lines of different logs as repeats if neither log is a copy', () => {
  const run = new RunLines(true);
  expect(counted(run.startLog(), 'abca')).toBe('a0 b0 c0 a1');
  expect(counted(run.startLog(), 'axyz')).toBe('a2 x0 y0 z0');
  expect(counted(run.startLog(), 'vwaua')).toBe('v0 w0 a3 u0 a4');
  // A new run starts counting from 0.
  expect(counted(new RunLines(true).startLog(), 'axyz')).toBe('a0 x0 y0 z0');
});

it('compares logs that are read concurrently', () => {
  const run = new RunLines(true);
  const [one, other] = [run.startLog(), run.startLog()];
  expect([counted(one, 'ab'), counted(other, 'cd'), counted(one, 'ec'), counted(other, 'fg')]).toEqual([
    'a0 b0',
    'c0 d0',
    'e0 c1',
    'f0 g0',
  ]);
});
