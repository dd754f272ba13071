import type { JourneySummary } from '../../api/journeys.js';
import { findDeadEndCause } from './dead-end-cause.js';

function summarize(clientErrors: number[], serverErrors: number[], deadEndSessions: number): JourneySummary {
  const deadEnd = (status: number | null, sessions: number) => ({ page: '/', kind: 'status', status, sessions });
  return {
    dead_end_sessions: deadEndSessions,
    series: serverErrors.map((server, index) => ({
      server_error_sessions: server,
      client_error_sessions: clientErrors[index] ?? 0,
    })),
    dead_ends: [deadEnd(503, 4), deadEnd(404, 9), deadEnd(500, 3), deadEnd(503, 3), deadEnd(null, 9)],
  } as unknown as JourneySummary;
}
const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);

it('finds server errors in a short time', () => {
  expect(findDeadEndCause(summarize([], [1, ...zeros(10), 20, 14, ...zeros(10)], 49))).toEqual({
    error: 'server',
    status: 503,
    sessions: 34,
    span: { first: 11, last: 12 },
  });
});

it('finds client errors that occur all the time', () => {
  const counts = zeros(20).map(() => 2);
  expect(findDeadEndCause(summarize(counts, zeros(20), 50))).toEqual({
    error: 'client',
    status: 404,
    sessions: 40,
    span: null,
  });
});

it.each([
  ['there are no dead ends', summarize([], zeros(20), 0)],
  ['most dead ends are loops', summarize([], [...zeros(20), 5], 20)],
])('returns null if %s', (_, summary) => expect(findDeadEndCause(summary)).toBeNull());
