import { ImportSummary } from './summary.js';

const LINE = { client: '192.0.2.7', time: '2015-05-17T10:05:03+02:00', method: 'GET', path: '/a' };

it('tells from when to when the lines are, in any order', () => {
  const summary = new ImportSummary();
  expect(summary.times).toBeNull();
  for (const time of ['2015-05-17T10:05:03+02:00', '2015-05-17T09:05:03Z', '2015-05-17T10:04:03+02:00']) {
    summary.addReadable({ ...LINE, time });
  }
  expect(summary.times).toEqual({
    first: Date.parse('2015-05-17T08:04:03Z'),
    last: Date.parse('2015-05-17T09:05:03Z'),
  });
});

it('counts everything, and keeps a few to be shown', () => {
  const summary = new ImportSummary();
  for (let number = 1; number <= 25; number += 1) summary.addUnreadable('a.log', number, 'no request', 'bad');
  for (let visit = 0; visit < 5; visit += 1) summary.addReadable(LINE);
  summary.addSent([{ userAgent: 'x' }, {}], { rejected: 1, isRepeat: false });
  expect([summary.read, summary.unreadable, summary.sent, summary.refused]).toEqual([30, 25, 1, 1]);
  expect([summary.unreadableLines.length, summary.examples.length]).toEqual([20, 3]);
  expect(summary.refusals).toEqual([{ visits: 1, reason: 'kept as dead letters', lines: null }]);
});
