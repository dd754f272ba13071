import type { JourneySummary } from '../../api/journeys.js';
import { findBusySpan, sum, type BusySpan } from '../../charts/busy-span.js';

export interface DeadEndCause {
  error: 'server' | 'client';
  /** Most frequent status, if it's the status of most errors. */
  status: number | null;
  /** Number of sessions with the errors, only in the span if there is one. */
  sessions: number;
  /** Short time in which almost all of the errors occurred. */
  span: BusySpan | null;
}

/** Minimum share of the dead ends that a cause explains. */
const MIN_CAUSE_SHARE = 0.5;
/** Minimum share of the errors that occurred in the span. */
const MIN_SPAN_SHARE = 0.9;

/** Finds out whether most dead ends are server errors or client errors, and when they occurred. */
export function findDeadEndCause(summary: JourneySummary): DeadEndCause | null {
  const causes = (['server', 'client'] as const).map((error) => {
    const counts = summary.series.map((item) => item[`${error}_error_sessions`]);
    return { error, counts, sessions: sum(counts) };
  });
  const { error, counts, sessions } = causes.toSorted((one, other) => other.sessions - one.sessions)[0]!;
  if (sessions === 0 || sessions < MIN_CAUSE_SHARE * summary.dead_end_sessions) return null;
  const span = findBusySpan(counts, MIN_SPAN_SHARE);
  return {
    error,
    status: findMainStatus(summary, error),
    sessions: span === null ? sessions : sum(counts.slice(span.first, span.last + 1)),
    span,
  };
}

function findMainStatus({ dead_ends: deadEnds }: JourneySummary, error: DeadEndCause['error']): number | null {
  const counts = new Map<number, number>();
  for (const { status, sessions } of deadEnds) {
    if (status !== null && status >= 500 === (error === 'server'))
      counts.set(status, (counts.get(status) ?? 0) + sessions);
  }
  const total = sum([...counts.values()]);
  return [...counts].find(([, sessions]) => sessions > MIN_CAUSE_SHARE * total)?.[0] ?? null;
}
