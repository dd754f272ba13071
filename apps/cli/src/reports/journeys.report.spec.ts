import { journeysReport } from './journeys.report.js';

const FROM = '2026-11-20T08:00:00.000Z';
const SUMMARY = {
  from: FROM,
  computed_from: FROM,
  sessions: 3,
  visitors: 1,
  dead_end_sessions: 2,
  refused_sessions: 1,
  checkout_sessions: 1,
  entries: [{ page: '/', sessions: 3 }],
  exits: [{ page: '/docs', sessions: 2 }],
  dead_ends: [
    { page: '/old', kind: 'status', status: 404, sessions: 2 },
    { page: '/docs', kind: 'loop', status: null, sessions: 1 },
  ],
  dead_end_causes: [{ kind: 'status', status: 404, sessions: 3, pages: 2 }],
  before_checkout: [{ page: '/shop', sessions: 1 }],
};
const read = (answer: object) => journeysReport.read(answer as never);

describe('report journeys', () => {
  it('lists entries, exits, dead ends and pages before a checkout', () => {
    const { rows, csv, summary } = read(SUMMARY);
    expect(rows).toEqual([
      ['entry', '/', '3'],
      ['exit', '/docs', '2'],
      ['status 404', '(all)', '3'],
      ['status 404', '/old', '2'],
      ['loop', '/docs', '1'],
      ['before checkout', '/shop', '1'],
    ]);
    expect(csv[0]).toEqual(['list', 'page', 'sessions']);
    expect(summary).toBe('3 sessions by 1 visitor. With a dead end: 2. Refused on purpose: 1. With a checkout: 1.');
  });

  it('mentions that it only covers a part of the range', () => {
    expect(read({ ...SUMMARY, computed_from: '2026-11-20T09:00:00.000Z' }).summary).toContain('Only covers sessions');
  });
});
