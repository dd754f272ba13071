import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Project } from '../../api/client.js';
import {
  journeysQuery,
  MAX_SESSIONS_PER_PAGE,
  readSessions,
  type JourneyFilters,
  type Session,
} from '../../api/journeys.js';
import { formatCount } from '../../format/count.js';
import type { ShownRange } from '../../range/use-range.js';
import { Failure } from '../../ui/failure.js';
import { formatTime } from '../../format/time.js';
import type { JourneysSearch, SessionList } from './search.js';
import { toJourneyFilters } from './session-filters.js';
import { SessionTable } from './session-table.js';
import classes from './session-table.module.css';
import type { Range } from '../../range/range.js';

/** Number of sessions to load in addition to grouped ones. */
const MIN_ROWS = 20;
const SEARCHED_FORMAT = { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' } as const;

const LIST_FILTERS = {
  'dead-ends': { dead_end: 'yes', min_visits: 1 },
  several: { min_visits: 2 },
  all: { min_visits: 1 },
} as const satisfies Record<SessionList, JourneyFilters>;

export interface Outage {
  range: Range;
  /** Time in words, such as "between 04:00 and 07:00 on Dec 1". */
  when: string;
  /** Number of sessions with server errors. */
  sessions: number;
  /** Filters the page to these sessions. */
  onShow: () => void;
}

interface SessionsProps {
  project: Project;
  search: JourneysSearch;
  shown: ShownRange;
  list: SessionList;
  /** Short time with most of the server errors, whose sessions are summed up in a line. Null if there's none. */
  outage: Outage | null;
  onOpen: (sessionId: string) => void;
}

/** Table of sessions, which loads more on demand. */
export function Sessions({ project, search, shown, list, outage, onOpen }: SessionsProps) {
  const filters = { ...toJourneyFilters(search), ...LIST_FILTERS[list] };
  const grouped = list === 'dead-ends' ? outage : null;
  const limit = Math.min(MAX_SESSIONS_PER_PAGE, MIN_ROWS + (grouped?.sessions ?? 0));
  const query = useInfiniteQuery(journeysQuery(project.id, shown, filters, limit));
  const { data, error, refetch, hasNextPage, isFetching, fetchNextPage } = query;
  const isGrouped = ({ ended_at: end, server_errors: errors }: Session): boolean =>
    grouped !== null && errors > 0 && end >= grouped.range.from && end < grouped.range.to;
  const sessions = data?.pages.flatMap(({ journeys }) => journeys).filter((session) => !isGrouped(session)) ?? [];
  const isEmpty = grouped !== null && sessions.length === 0;
  const skipsPage = isEmpty && hasNextPage && !isFetching && error === null;
  useEffect(() => {
    if (skipsPage) void fetchNextPage();
  }, [skipsPage, fetchNextPage]);
  if (data === undefined) {
    return error === null ? (
      <Skeleton h={300} animate={false} aria-busy="true" />
    ) : (
      <Failure error={error} title="Couldn't load the sessions" retry={() => void refetch()} />
    );
  }
  const { searched_from: searchedFrom } = data.pages.at(-1)!;
  return (
    <Stack gap="sm">
      {grouped !== null && (
        <Group className={classes['outage'] ?? ''} gap="xs" role="note">
          <span>
            <strong>Server errors {grouped.when}:</strong> {formatCount(grouped.sessions)} sessions
          </span>
          <Button size="compact-xs" variant="default" ml="auto" onClick={grouped.onShow}>
            Show them
          </Button>
        </Group>
      )}
      {!isEmpty ? (
        <SessionTable
          project={project}
          readAll={() => readSessions(project.id, shown, filters)}
          sessions={sessions}
          range={shown}
          timeZone={shown.timeZone}
          more={query}
          onOpen={onOpen}
        />
      ) : !hasNextPage ? null : error === null ? (
        <Skeleton h={300} animate={false} aria-busy="true" />
      ) : (
        <Failure error={error} title="Couldn't load the sessions" retry={() => void fetchNextPage()} />
      )}
      {!isEmpty && hasNextPage && (
        <Text size="xs" c="dimmed" ta="center">
          Showing the {formatCount(sessions.length)} most recent {grouped !== null && 'other '}
          {sessions.length === 1 ? 'session' : 'sessions'}, back to{' '}
          {formatTime(searchedFrom, shown.timeZone, SEARCHED_FORMAT)}. Only these are sorted.
        </Text>
      )}
    </Stack>
  );
}
