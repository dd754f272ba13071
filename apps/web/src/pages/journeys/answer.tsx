import type { ReactNode } from 'react';
import type { JourneySummary } from '../../api/journeys.js';
import { formatPercent } from '../../format/change.js';
import { formatCount } from '../../format/count.js';
import { formatTimeSpan } from '../../format/time-span.js';
import { Answer } from '../../ui/answer.js';
import { Help } from '../../ui/help.js';
import { formatFullTime } from '../../ui/relative-time.js';
import { TextLink } from '../../ui/text-link.js';
import type { JourneysSearch } from './search.js';

interface JourneysAnswerProps {
  summary: JourneySummary;
  timeZone: string;
  /** Range in words, such as "in the last 7 days". */
  when: string;
}

/** Sentence about the number of sessions, dead ends and checkouts. */
export function JourneysAnswer({ summary, timeZone, when }: JourneysAnswerProps) {
  const { sessions, visitors, dead_end_sessions: deadEnds, checkout_sessions: checkouts } = summary;
  const [worst] = summary.dead_ends;
  const { median_duration_ms: median, undistinguished_sessions: mixed } = summary;
  return (
    <Answer
      notes={
        <>
          <p>
            {formatCount(visitors)} {visitors === 1 ? 'visitor' : 'visitors'}
            {median !== null && median > 0 && `; median duration ${formatTimeSpan(median)}`}
          </p>
          {summary.computed_from !== summary.from && (
            <p>
              There are too many visits to read at once. These numbers cover sessions that ended since{' '}
              {formatFullTime(summary.computed_from, timeZone)}.
            </p>
          )}
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
          <FilterLink search={{ deadEnd: 'yes' }}>{formatCount(deadEnds)}</FilterLink> of {formatSessions(sessions)} (
          {formatPercent(deadEnds / sessions)})
        </>
      )}{' '}
      reached a dead end {when}
      {deadEnds > 0 && worst !== undefined && `, most often on ${worst.page}`}.{' '}
      {checkouts > 0 && (
        <>
          <FilterLink search={{ checkout: 'yes' }}>{formatCount(checkouts)}</FilterLink> reached checkout.
        </>
      )}
      <Help about="sessions">
        A session consists of visits by the same agent or program with pauses of at most 30 minutes, from the same
        network (/24 for IPv4, /48 for IPv6) or signed with the same key. Crawlers have no sessions, because they spread
        their requests over many addresses.
      </Help>
    </Answer>
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
