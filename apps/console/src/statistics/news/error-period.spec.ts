import { findErrorPeriod, mergeOutage } from './error-period.js';

const QUARTER_MS = 900_000;
const START = Date.parse('2026-11-20T00:00Z');
const DAY = { from: START, to: START + 96 * QUARTER_MS };

/** @param counts Visits by index of the quarter hour. */
const toQuarters = (counts: Record<number, number>) =>
  Object.entries(counts).map(([index, visits]) => ({ start: START + Number(index) * QUARTER_MS, visits }));

it('finds the period with almost all errors, and the errors next to it', () => {
  const quarters = toQuarters({ 3: 1, 40: 1, 41: 30, 43: 60, 44: 1, 90: 2 });
  expect(findErrorPeriod(quarters, DAY)).toEqual({
    from: '2026-11-20T10:00:00.000Z',
    to: '2026-11-20T11:15:00.000Z',
    visits: 92,
  });
});

it('finds no period if the errors are spread across the range', () => {
  expect(findErrorPeriod([], DAY)).toBeNull();
  expect(findErrorPeriod(toQuarters({ 0: 50, 30: 50 }), DAY)).toBeNull();
  expect(findErrorPeriod(toQuarters(Object.fromEntries(Array.from({ length: 26 }, (_, q) => [q, 9]))), DAY)).toBeNull();
});

it('merges an outage into the server errors next to it', () => {
  const outage = {
    kind: 'outage',
    from: '2026-11-20T03:00:00.000Z',
    to: '2026-11-20T05:00:00.000Z',
    expected_visits: 90,
    days_before: 1,
  } as const;
  const createErrors = (status: '4xx' | '5xx', from: string, to: string) => ({
    kind: 'errors' as const,
    status,
    visits: 129,
    agent_visits: 1_720,
    previous_visits: 1,
    previous_agent_visits: 1_100,
    page: '/',
    page_visits: 9,
    is_sampled: false,
    period: { from, to, visits: 129 },
    outage: null,
  });
  const { kind: _, ...gap } = outage;
  for (const [from, to] of [
    ['2026-11-20T00:00:00.000Z', outage.from],
    [outage.to, '2026-11-20T06:00:00.000Z'],
  ] as const) {
    const errors = createErrors('5xx', from, to);
    expect(mergeOutage([outage], [errors])).toEqual({ outages: [], errors: [{ ...errors, outage: gap }] });
  }
  for (const errors of [
    createErrors('5xx', '2026-11-20T00:00:00.000Z', '2026-11-20T02:45:00.000Z'),
    createErrors('4xx', '2026-11-20T00:00:00.000Z', outage.from),
  ]) {
    expect(mergeOutage([outage], [errors])).toEqual({ outages: [outage], errors: [errors] });
  }
});
