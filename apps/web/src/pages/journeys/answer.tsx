import { use, type ReactNode } from 'react';
import type { JourneySummary } from '../../api/journeys.js';
import { formatBusySpan, type BusySpan } from '../../charts/busy-span.js';
import { isClearDifference } from '../../range/clear-difference.js';
import { isDailyOrLonger } from '../../charts/chart-times.js';
import { toSelectedRange } from '../../charts/selected-range.js';
import { formatChange, formatPercent, NEGLIGIBLE_CHANGE, NO_CHANGE } from '../../format/change.js';
import { formatCount } from '../../format/count.js';
import { formatTime } from '../../format/time.js';
import { formatDuration } from '../../format/duration.js';
import type { ShownRange } from '../../range/use-range.js';
import { Answer } from '../../ui/answer.js';
import { Help } from '../../ui/help.js';
import { EarlierDataContext } from '../../range/earlier-data.js';
import { TextLink } from '../../ui/text-link.js';
import { describeDeadEnd, findDeadEndCause, type DeadEndCause } from './dead-end-cause.js';
import type { JourneysSearch } from './search.js';
import { selectsDeadEnds, toCauseFilter } from './session-filters.js';

const DAY_FORMAT = { month: 'short', day: 'numeric' } as const;
const TIME_FORMAT = { ...DAY_FORMAT, hour: '2-digit', minute: '2-digit' } as const;

interface JourneysAnswerProps {
  summary: JourneySummary;
  /** Summary of the comparison range. Undefined until it has loaded, or if it doesn't cover the entire range. */
  previous: JourneySummary | undefined;
  /** Name of the comparison range, or null for no comparison. */
  before: string | null;
  search: JourneysSearch;
  shown: Pick<ShownRange, 'projectZone' | 'timeZone'>;
  /** Range in words, such as "in the last 7 days". */
  when: string;
}

/** Sentence about the number of sessions, dead ends and checkouts. */
export function JourneysAnswer({ summary, previous, before, search, shown, when }: JourneysAnswerProps) {
  const hasEarlierData = use(EarlierDataContext);
  const cause = findDeadEndCause(summary, shown);
  const { sessions, visitors, dead_end_sessions: deadEnds, checkout_sessions: checkouts } = summary;
  const { refused_sessions: refused } = summary;
  const { timeZone } = shown;
  const { median_duration_ms: median, undistinguished_sessions: mixed } = summary;
  // Part of a range can't be compared with all of another one.
  const earlier =
    hasEarlierData && before !== null && summary.computed_from === summary.from && previous && previous.sessions > 0
      ? previous
      : undefined;
  const sinceFormat = isDailyOrLonger(summary.bucket) ? DAY_FORMAT : TIME_FORMAT;
  const since =
    summary.computed_from === summary.from ? null : `since ${formatTime(summary.computed_from, timeZone, sinceFormat)}`;
  return (
    <Answer
      notes={
        <>
          <p>
            {formatCount(visitors)} {visitors === 1 ? 'visitor' : 'visitors'}
            {earlier !== undefined && describeSessions(sessions, earlier.sessions)}
            {checkouts > 0 && (
              <>
                . <FilterLink search={{ checkout: 'yes', list: 'all' }}>{formatSessions(checkouts)}</FilterLink> reached
                checkout
              </>
            )}
            {refused > 0 && search.deadEnd !== 'refused' && (
              <>
                . <FilterLink search={{ deadEnd: 'refused', list: 'all' }}>{formatSessions(refused)}</FilterLink>{' '}
                {refused === 1 ? 'was' : 'were'} refused on purpose
              </>
            )}
            .{median !== null && median > 0 && ` Half of the sessions took less than ${formatDuration(median)}.`}
          </p>
          {before !== null && !hasEarlierData && <p>There’s no earlier data to compare with.</p>}
          {since !== null && <p>There are too many visits, so only the newest were analyzed.</p>}
          {mixed > 0 && (
            <p>
              {formatSessions(mixed)} can contain several visitors that can’t be distinguished, because their addresses
              aren’t stored.
            </p>
          )}
        </>
      }
    >
      {selectsDeadEnds(search) ? (
        <>
          {formatSessions(sessions)} {describeDeadEnd(search.deadEndCause)}
          {search.deadEndPage !== undefined && ` at ${search.deadEndPage}`}
        </>
      ) : search.deadEnd === 'refused' ? (
        `${formatSessions(sessions)} ${sessions === 1 ? 'was' : 'were'} refused on purpose`
      ) : deadEnds === 0 ? (
        <>
          {search.deadEnd === 'no' ? formatSessions(sessions) : `None of ${formatSessions(sessions)}`} reached{' '}
          {search.deadEnd === 'no' ? 'no' : 'a'} dead end
        </>
      ) : (
        <>
          <FilterLink search={{ deadEnd: 'yes', list: undefined }}>{formatCount(deadEnds)}</FilterLink> of{' '}
          {formatSessions(sessions)} ({formatPercent(deadEnds / sessions)}
          {earlier !== undefined && before !== null && `, ${describeChange(summary, earlier)}`}) reached a dead end
        </>
      )}{' '}
      {since ?? when}
      {cause?.span == null && <MainCause summary={summary} search={search} />}.{' '}
      {cause?.span != null && <Cause summary={summary} cause={cause} span={cause.span} />}
      <Help about="sessions">
        A session consists of visits by the same agent or program with pauses of at most 30 minutes, from the same
        network (/24 for IPv4, /48 for IPv6) or signed with the same key. Crawlers have no sessions, because they spread
        their requests over many addresses. Refused on purpose: status 402, 429 or 451, or an error for a path that
        vulnerability scanners request, such as /.env. These visits aren’t dead ends.
      </Help>
    </Answer>
  );
}

interface MainCauseProps {
  summary: JourneySummary;
  search: JourneysSearch;
}

/** Minimum number of sessions, and share of a cause's sessions, for which its most frequent page is mentioned. */
const MIN_PAGE_SHARE = 0.25;
const MIN_PAGE_SESSIONS = 3;

/** Most frequent cause of the dead ends, with its most frequent page. Leaves out what the page is filtered by. */
function MainCause({ summary, search }: MainCauseProps) {
  const [main] = summary.dead_end_causes;
  if (main === undefined || search.deadEndPage !== undefined) return null;
  const cause = toCauseFilter(main);
  const worst = summary.dead_ends.find((deadEnd) => toCauseFilter(deadEnd) === cause);
  const isFiltered = search.deadEndCause === cause;
  return (
    <>
      {!isFiltered && (
        <>
          ,{' '}
          {main.sessions < summary.dead_end_sessions ? (
            <>
              <FilterLink search={{ deadEndCause: cause, list: undefined }}>{formatCount(main.sessions)}</FilterLink> of
              them
            </>
          ) : (
            main.sessions > 1 && 'all'
          )}{' '}
          with {cause === 'loop' ? 'a repeated request' : `a ${cause} response`}
        </>
      )}
      {worst !== undefined && worst.sessions >= Math.max(MIN_PAGE_SESSIONS, MIN_PAGE_SHARE * main.sessions) && (
        <>
          , most often at {worst.page} (
          <FilterLink search={{ deadEndPage: worst.page, deadEndCause: cause, list: undefined }}>
            {formatCount(worst.sessions)}
          </FilterLink>
          )
        </>
      )}
    </>
  );
}

interface CauseProps {
  summary: JourneySummary;
  cause: DeadEndCause;
  span: BusySpan;
}

/** Sentence about the main cause of the dead ends. */
function Cause({ summary, cause, span }: CauseProps) {
  const { error, sessions, deadEnds, starts, times } = cause;
  const filter = { ...toSelectedRange(starts, span.first, span.last, summary), range: undefined, list: undefined };
  return (
    <>
      <FilterLink search={{ ...filter, deadEnd: 'yes' }}>{formatCount(deadEnds)}</FilterLink> of them ended{' '}
      {formatBusySpan(span, starts, times)},{' '}
      {sessions === deadEnds ? (
        'all'
      ) : (
        <FilterLink search={{ ...filter, deadEndCause: error === 'server' ? '5xx' : '4xx' }}>
          {formatCount(sessions)}
        </FilterLink>
      )}{' '}
      with {error} errors.{' '}
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

/** Compares the share of dead ends with the earlier one, as in "up from 9%". Differences by chance aren't a trend. */
function describeChange({ dead_end_sessions: deadEnds, sessions }: JourneySummary, earlier: JourneySummary): string {
  const earlierShare = earlier.dead_end_sessions / earlier.sessions;
  const expected = earlierShare * sessions;
  const isTrend = isClearDifference(deadEnds, expected);
  return `${!isTrend ? 'compared with' : deadEnds > expected ? 'up from' : 'down from'} ${formatPercent(earlierShare)}`;
}

/** Compares the number of sessions, as in ". Sessions are up 33%". */
function describeSessions(current: number, previous: number): string {
  const change = formatChange(current, previous);
  if (change === NO_CHANGE || change === NEGLIGIBLE_CHANGE) return '';
  if (change.startsWith('+')) return `. Sessions are up ${change.slice(1)}`;
  if (change.startsWith('−')) return `. Sessions are down ${change.slice(1)}`;
  return `. Sessions are ${current > previous ? 'up' : 'down'} from ${formatCount(previous)}`;
}

const formatSessions = (count: number): string => `${formatCount(count)} ${count === 1 ? 'session' : 'sessions'}`;
