import type { JourneySummary } from '../../api/journeys.js';
import { findBusySpan, sum, type BusySpan } from '../../charts/busy-span.js';
import type { ChartTimes } from '../../charts/chart-times.js';
import { mergeQuarterHours } from '../../charts/merge-quarter-hours.js';

export interface DeadEndCause {
  error: 'server' | 'client';
  /** Short time in which most of the errors occurred. */
  span: BusySpan | null;
  /** Number of sessions with the errors, only in the span if there is one. */
  sessions: number;
  /** Number of sessions with any dead end in the span. */
  deadEnds: number;
  /** Start times of the chart's items, to which the span refers. */
  starts: readonly string[];
  times: ChartTimes;
}

/** Minimum share of the dead ends that a cause explains. */
const MIN_CAUSE_SHARE = 0.5;
/** Minimum share of the errors that occurred in the span. */
const MIN_SPAN_SHARE = 0.75;

/** Finds out whether most dead ends are server errors or client errors, and when they occurred. */
export function findDeadEndCause(
  summary: JourneySummary,
  zones: Pick<ChartTimes, 'projectZone' | 'timeZone'>,
): DeadEndCause | null {
  const { items, times } = mergeQuarterHours({
    items: summary.series.map(({ time, ...values }) => ({ time, values })),
    times: { ...zones, bucket: summary.bucket },
  });
  const list = (name: Exclude<keyof JourneySummary['series'][number], 'time'>): number[] =>
    items.map(({ values }) => values[name]!);
  const causes = (['server', 'client'] as const).map((error) => {
    const counts = list(`${error}_error_sessions`);
    return { error, counts, sessions: sum(counts) };
  });
  const { error, counts, sessions } = causes.toSorted((one, other) => other.sessions - one.sessions)[0]!;
  if (sessions === 0 || sessions < MIN_CAUSE_SHARE * summary.dead_end_sessions) return null;
  const span = findBusySpan(counts, MIN_SPAN_SHARE);
  const sumSpan = (values: readonly number[]): number =>
    sum(span === null ? values : values.slice(span.first, span.last + 1));
  return {
    error,
    span,
    sessions: sumSpan(counts),
    deadEnds: sumSpan(list('dead_end_sessions')),
    starts: items.map(({ time }) => time),
    times,
  };
}

/** Names of error statuses that sites often return. */
export const STATUS_NAMES: Readonly<Record<string, string>> = {
  400: 'bad request',
  401: 'unauthorized',
  402: 'payment required',
  403: 'forbidden',
  404: 'not found',
  405: 'method not allowed',
  410: 'gone',
  429: 'too many requests',
  500: 'server error',
  502: 'bad gateway',
  503: 'unavailable',
  504: 'gateway timeout',
};

/** Returns the predicate of a sentence, such as "got a 503 response". @param cause Value of the cause filter. */
export function describeDeadEnd(cause: string | undefined): string {
  if (cause === undefined) return 'reached a dead end';
  if (cause === 'loop') return 'repeated a request';
  if (cause.endsWith('xx')) return `got a ${cause === '5xx' ? 'server' : 'client'} error`;
  return `got a ${cause} response`;
}
