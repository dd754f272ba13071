import { countVisits, NO_AGENT } from './visit-counts.js';
import type { VisitRow } from './visit-row.js';

const AGENT = '3c00155e-c06b-5ee8-a7c8-57e6328803d2';
const QUARTER = 900_000;

const row = (extra: Partial<VisitRow>): VisitRow =>
  ({
    occurredAt: 0,
    agentId: null,
    agentType: null,
    result: 'unknown_agent',
    page: '/',
    status: 200,
    dimensions: [],
    ...extra,
  }) as VisitRow;
const agent = (extra: Partial<VisitRow> = {}): VisitRow =>
  row({ agentId: AGENT, agentType: 'Crawler', result: 'verified', ...extra });

function countRows(rows: readonly VisitRow[], projects: readonly number[], list: 'counts' | 'tops'): unknown[][] {
  const columns = Object.entries(countVisits(rows, projects)).filter(([name]) => name.startsWith(`${list}.`));
  return columns[0]![1].map((_: unknown, index: number) => columns.map(([, values]) => values[index]));
}

describe('countsOf', () => {
  it('counts visits by project, bucket, agent, type and result, and records the latest time', () => {
    const rows = [
      row({ occurredAt: QUARTER - 1 }),
      row({ occurredAt: 5 }),
      row({ occurredAt: QUARTER }),
      agent(),
      agent({ result: 'verification_failed' }),
      agent({ agentType: null }),
      row({ occurredAt: 7 }),
    ];
    expect(countRows(rows, [1, 1, 1, 1, 1, 1, 2], 'counts')).toEqual([
      [1, 0, NO_AGENT, '', 'unknown_agent', 2, QUARTER - 1],
      [1, 0, AGENT, 'Crawler', 'verified', 1, 0],
      [1, 0, AGENT, 'Crawler', 'verification_failed', 1, 0],
      [1, 0, AGENT, '', 'verified', 1, 0],
      [1, QUARTER, NO_AGENT, '', 'unknown_agent', 1, QUARTER],
      [2, 0, NO_AGENT, '', 'unknown_agent', 1, 7],
    ]);
  });

  it('counts every dimension of a visit, with separate page and status dimensions for agents', () => {
    const rows = [
      row({ page: '/a', dimensions: [['unlisted', 'x']] }),
      agent({ page: '/a', status: null }),
      row({
        page: '/a',
        status: 404,
        dimensions: [
          ['unlisted', 'x'],
          ['crawl', 'x'],
        ],
      }),
    ];
    expect(countRows(rows, [1, 1, 1], 'tops')).toEqual([
      [1, 0, 'page', '/a', 2],
      [1, 0, 'status', '200', 1],
      [1, 0, 'status', '404', 1],
      [1, 0, 'unlisted', 'x', 2],
      [1, 0, 'agent_page', '/a', 1],
      [1, 0, 'crawl', 'x', 1],
    ]);
  });

  it('assigns a time before 1970 to the bucket that contains it', () => {
    expect(countRows([row({ occurredAt: -1 })], [1], 'counts')).toEqual([
      [1, -QUARTER, NO_AGENT, '', 'unknown_agent', 1, -1],
    ]);
  });
});
