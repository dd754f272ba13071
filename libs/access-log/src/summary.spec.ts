import { ImportSummary } from './summary.js';

const LINE = { client: '192.0.2.7', time: '2015-05-17T10:05:03+02:00', method: 'GET', path: '/a' };

it('returns the time range in quarter hours for lines in any order and time zone', () => {
  const summary = new ImportSummary();
  expect(summary.range).toBeNull();
  for (const time of ['2015-05-17T10:05:03+02:00', '2015-05-17T07:59:59Z', '2015-05-18T00:30:00+02:00']) {
    summary.addReadable({ ...LINE, time });
  }
  expect(summary.range).toEqual({ from: '2015-05-17T07:45:00.000Z', to: '2015-05-17T22:45:00.000Z' });
});

it('counts all lines and limits the number of stored examples', () => {
  const summary = new ImportSummary();
  for (let number = 1; number <= 25; number += 1) summary.addUnreadable('a.log', number, 'no request', 'bad');
  for (let visit = 0; visit < 5; visit += 1) summary.addReadable(LINE);
  summary.addSent([{ userAgent: 'x' }, {}], { rejected: 1, repeated: 0 });
  expect([summary.read, summary.unreadable, summary.sent, summary.rejected]).toEqual([30, 25, 1, 1]);
  expect([summary.unreadableLines.length, summary.examples.length]).toEqual([20, 3]);
  expect(summary.rejections).toEqual([{ visits: 1, reason: 'stored as dead letters', lines: null }]);
});
