import type { JourneySummary } from '../../api/journeys.js';
import { findDeadEndCause } from './dead-end-cause.js';

const ZONES = { projectZone: 'UTC', timeZone: 'UTC' };
const START = Date.UTC(2026, 10, 30);
const MINUTE_MS = 60_000;

function summarize(clientErrors: number[], serverErrors: number[], deadEndSessions: number): JourneySummary {
  return {
    bucket: '1h',
    dead_end_sessions: deadEndSessions,
    series: serverErrors.map((server, index) => ({
      time: new Date(START + 60 * MINUTE_MS * index).toISOString(),
      dead_end_sessions: 2 * server,
      server_error_sessions: server,
      client_error_sessions: clientErrors[index] ?? 0,
    })),
  } as unknown as JourneySummary;
}
const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);

it('finds server errors in a short time', () => {
  expect(findDeadEndCause(summarize([], [1, ...zeros(10), 20, 14, ...zeros(10)], 49), ZONES)).toMatchObject({
    error: 'server',
    sessions: 34,
    deadEnds: 68,
    span: { first: 11, last: 12 },
  });
});

it('combines quarter-hours like the chart', () => {
  const summary = summarize([], [...zeros(40), 9, 0, 0, 5, ...zeros(52)], 14);
  const series = summary.series.map((item, index) => ({
    ...item,
    time: new Date(START + 15 * MINUTE_MS * index).toISOString(),
  }));
  expect(findDeadEndCause({ ...summary, bucket: '15m', series }, ZONES)).toMatchObject({
    sessions: 14,
    span: { first: 10, last: 10 },
    times: { bucket: '1h' },
  });
});

it('finds client errors that occur all the time', () => {
  const counts = zeros(20).map(() => 2);
  expect(findDeadEndCause(summarize(counts, zeros(20), 50), ZONES)).toMatchObject({
    error: 'client',
    sessions: 40,
    span: null,
  });
});

it.each([
  ['there are no dead ends', summarize([], zeros(20), 0)],
  ['most dead ends are loops', summarize([], [...zeros(20), 5], 20)],
])('returns null if %s', (_, summary) => expect(findDeadEndCause(summary, ZONES)).toBeNull());
