import { getHeader } from '#libs/contracts';
import type { ConductVisit } from '#libs/visit-store';

/** Tolerance for the resolution of times and for requests that were already queued. */
const TOLERANCE_MS = 2_000;
/** Tolerance for a date, which crawlers compare with their own clock. */
const DATE_TOLERANCE_MS = 60_000;
/** Longest time that a window applies for. */
const MAX_WAIT_MS = 86_400_000;
/** Maximum number of windows that apply at the same time. */
const MAX_OPEN_WINDOWS = 100;

/** Start and end in milliseconds since the epoch. */
interface RetryWindow {
  start: number;
  end: number;
}

type ThrottledVisit = Pick<ConductVisit, 'occurred_at' | 'duration_ms' | 'response_headers'>;

/** Returns whether the response asks the client to slow down. */
export const isThrottled = ({ status }: Pick<ConductVisit, 'status'>): boolean => status === 429 || status === 503;

/**
 * Returns the time in which the agent was asked not to send requests (RFC 9110, section 10.2.3), or null if the response
 * has no valid `Retry-After` header.
 *
 * Sources report either the start or the end of a request as its time. The window therefore starts as if it was the
 * start, and ends as if it was the end.
 */
export function toRetryWindow(visit: ThrottledVisit): RetryWindow | null {
  const text = getHeader(visit.response_headers, 'retry-after')?.trim() ?? '';
  if (text === '') return null;
  const seconds = Number(text);
  const date = Date.parse(getHeader(visit.response_headers, 'date') ?? '');
  const wait = Number.isNaN(seconds)
    ? Date.parse(text) - (Number.isNaN(date) ? visit.occurred_at : date) - DATE_TOLERANCE_MS
    : seconds * 1_000 - TOLERANCE_MS;
  if (Number.isNaN(wait)) return null;
  return {
    start: visit.occurred_at + (visit.duration_ms ?? 0) + TOLERANCE_MS,
    end: visit.occurred_at + Math.min(wait, MAX_WAIT_MS),
  };
}

/** Open windows of a host. Visits must be passed in order of their time. */
export class RetryWindows {
  private open: RetryWindow[] = [];

  add(window: RetryWindow): void {
    if (this.open.length < MAX_OPEN_WINDOWS && window.end > window.start) this.open.push(window);
  }

  /** Returns whether the request was certainly sent during a window. */
  include({ occurred_at: at, duration_ms: duration }: ConductVisit): boolean {
    this.open = this.open.filter(({ end }) => end > at);
    const earliest = at - (duration ?? 0);
    return this.open.some(({ start }) => earliest > start);
  }
}
