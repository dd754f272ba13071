import type { ReactNode } from 'react';
import type { JourneySummary } from '../../api/journeys.js';
import { formatBusySpan, type BusySpan } from '../../charts/busy-span.js';
import { isDailyOrLonger } from '../../charts/chart-times.js';
import { toSelectedRange } from '../../charts/selected-range.js';
import { formatPercent } from '../../format/change.js';
import { formatCount } from '../../format/count.js';
import { formatTime } from '../../format/time.js';
import { formatDuration } from '../../format/duration.js';
import type { ShownRange } from '../../range/use-range.js';
import { Answer } from '../../ui/answer.js';
import { Help } from '../../ui/help.js';
import { listLink } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import { TextLink } from '../../ui/text-link.js';
import { findDeadEndCause, type DeadEndCause } from './dead-end-cause.js';
import { toDeadEndFilters, type JourneysSearch } from './search.js';

const DAY_FORMAT = { month: 'short', day: 'numeric' } as const;
const TIME_FORMAT = { ...DAY_FORMAT, hour: '2-digit', minute: '2-digit' } as const;

interface JourneysAnswerProps {
  projectId: string;
  linked: LinkedRange;
  summary: JourneySummary;
  shown: Pick<ShownRange, 'projectZone' | 'timeZone'>;
  /** Range in words, such as "in the last 7 days". */
  when: string;
}

/** Sentence about the number of sessions, dead ends and checkouts. */
export function JourneysAnswer({ projectId, summary, linked, shown, when }: JourneysAnswerProps) {
  const cause = findDeadEndCause(summary, shown);
  const worst = summary.dead_ends[0];
  const { sessions, visitors, dead_end_sessions: deadEnds, checkout_sessions: checkouts } = summary;
  const { timeZone } = shown;
  const { median_duration_ms: median, undistinguished_sessions: mixed } = summary;
  const sinceFormat = isDailyOrLonger(summary.bucket) ? DAY_FORMAT : TIME_FORMAT;
  const since =
    summary.computed_from === summary.from ? null : `since ${formatTime(summary.computed_from, timeZone, sinceFormat)}`;
  return (
    <Answer
      notes={
        <>
          <p>
            {formatCount(visitors)} {visitors === 1 ? 'visitor' : 'visitors'}
            {checkouts > 0 && (
              <>
                . <FilterLink search={{ checkout: 'yes', single: true }}>{formatSessions(checkouts)}</FilterLink>{' '}
                reached checkout
              </>
            )}
            .{median !== null && median > 0 && ` Half of the sessions took less than ${formatDuration(median)}.`}
          </p>
          {since !== null && <p>This range has too many visits to analyze. Showing sessions {since}.</p>}
          {mixed > 0 && (
            <p>
              {formatSessions(mixed)} can contain several visitors that can’t be distinguished, because their addresses
              aren’t stored.
            </p>
          )}
        </>
      }
    >
      {deadEnds === 0 ? (
        <>None of {formatSessions(sessions)}</>
      ) : (
        <>
          <FilterLink search={{ deadEnd: 'yes', single: true }}>{formatCount(deadEnds)}</FilterLink> of{' '}
          {formatSessions(sessions)} ({formatPercent(deadEnds / sessions)})
        </>
      )}{' '}
      reached a dead end {since ?? when}
      {worst !== undefined && cause?.span == null ? (
        <>
          , most often at{' '}
          <TextLink {...listLink(projectId, linked)(toDeadEndFilters(worst))} inherit>
            {worst.page}
          </TextLink>
          , where {formatSessions(worst.sessions)}{' '}
          {worst.kind === 'loop' ? 'repeated a request' : `got a ${worst.status} response`}.
        </>
      ) : (
        '.'
      )}{' '}
      {cause?.span != null && <Cause summary={summary} cause={cause} span={cause.span} />}
      <Help about="sessions">
        A session consists of visits by the same agent or program with pauses of at most 30 minutes, from the same
        network (/24 for IPv4, /48 for IPv6) or signed with the same key. Crawlers have no sessions, because they spread
        their requests over many addresses.
      </Help>
    </Answer>
  );
}

interface CauseProps {
  summary: JourneySummary;
  cause: DeadEndCause;
  span: BusySpan;
}

/** Sentence about the main cause of the dead ends. */
function Cause({ summary, cause, span }: CauseProps) {
  const { error, status, sessions, deadEnds, starts, times } = cause;
  const range = toSelectedRange(starts, span.first, span.last, summary);
  return (
    <>
      <FilterLink search={{ ...range, range: undefined, deadEnd: 'yes', single: true }}>
        {formatCount(deadEnds)}
      </FilterLink>{' '}
      of them ended {formatBusySpan(span, starts, times)}, {sessions === deadEnds ? 'all' : formatCount(sessions)} with{' '}
      {error} errors{status !== null && ` (mostly ${status})`}.{' '}
    </>
  );
}

interface FilterLinkProps {
  search: Partial<JourneysSearch>;
  children: ReactNode;
}

/** Link that filters the page. */
const FilterLink = ({ search, children }: FilterLinkProps) => (
  <TextLink
    from="/projects/$projectId/journeys"
    to="."
    search={(now: JourneysSearch) => ({ ...now, ...search })}
    inherit
  >
    {children}
  </TextLink>
);

const formatSessions = (count: number): string => `${formatCount(count)} ${count === 1 ? 'session' : 'sessions'}`;
