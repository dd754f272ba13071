import { Skeleton, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { Project } from '../../api/client.js';
import { journeysQuery } from '../../api/journeys.js';
import type { ShownRange } from '../../range/use-range.js';
import { Failure } from '../../ui/failure.js';
import { formatTime } from '../../format/time.js';
import { toJourneyFilters, type JourneysSearch } from './search.js';
import { SessionTable } from './session-table.js';

const SEARCHED_FORMAT = { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' } as const;

interface SessionsProps {
  project: Project;
  search: JourneysSearch;
  shown: ShownRange;
  onOpen: (sessionId: string) => void;
}

/** Table of sessions, which loads more on demand. */
export function Sessions({ project, search, shown, onOpen }: SessionsProps) {
  const list = useInfiniteQuery(
    journeysQuery(project.id, shown, { ...toJourneyFilters(search), min_visits: search.single ? 1 : 2 }),
  );
  const { data, error, refetch } = list;
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
        more={list}
        onOpen={onOpen}
      />
      {list.hasNextPage && (
        <Text size="xs" c="dimmed" ta="center">
          Showing sessions since {formatTime(searchedFrom, shown.timeZone, SEARCHED_FORMAT)}
        </Text>
      )}
    </Stack>
  );
}
