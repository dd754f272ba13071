import { Skeleton, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { Project } from '../../api/client.js';
import { journeysQuery, type JourneyFilters } from '../../api/journeys.js';
import { formatCount } from '../../format/count.js';
import type { ShownRange } from '../../range/use-range.js';
import { Failure } from '../../ui/failure.js';
import { formatTime } from '../../format/time.js';
import type { JourneysSearch, SessionList } from './search.js';
import { toJourneyFilters } from './session-filters.js';
import { SessionTable } from './session-table.js';

const SEARCHED_FORMAT = { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' } as const;

const LIST_FILTERS = {
  'dead-ends': { dead_end: 'yes', min_visits: 1 },
  several: { min_visits: 2 },
  all: { min_visits: 1 },
} as const satisfies Record<SessionList, JourneyFilters>;

interface SessionsProps {
  project: Project;
  search: JourneysSearch;
  shown: ShownRange;
  list: SessionList;
  onOpen: (sessionId: string) => void;
}

/** Table of sessions, which loads more on demand. */
export function Sessions({ project, search, shown, list, onOpen }: SessionsProps) {
  const query = useInfiniteQuery(
    journeysQuery(project.id, shown, { ...toJourneyFilters(search), ...LIST_FILTERS[list] }),
  );
  const { data, error, refetch } = query;
  if (data === undefined) {
    return error === null ? (
      <Skeleton h={300} animate={false} aria-busy="true" />
    ) : (
      <Failure error={error} title="Couldn't load the sessions" retry={() => void refetch()} />
    );
  }
  const sessions = data.pages.flatMap(({ journeys }) => journeys);
  const { searched_from: searchedFrom } = data.pages.at(-1)!;
  return (
    <Stack gap="sm">
      <SessionTable
        project={project}
        sessions={sessions}
        range={shown}
        timeZone={shown.timeZone}
        more={query}
        onOpen={onOpen}
      />
      {query.hasNextPage && (
        <Text size="xs" c="dimmed" ta="center">
          Showing the {formatCount(sessions.length)} most recent sessions, back to{' '}
          {formatTime(searchedFrom, shown.timeZone, SEARCHED_FORMAT)}. Sorting and export only include these.
        </Text>
      )}
    </Stack>
  );
}
