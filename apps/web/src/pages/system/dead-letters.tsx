import { Button, Code, Group, Loader, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { client, data } from '../../api/client.js';
import { deadLettersQuery, fetchAllDeadLetters, systemQuery, type DeadLetter } from '../../api/system-queries.js';
import { formatCount } from '../../format/count.js';
import { formatBytes } from '../../format/bytes.js';
import { command } from '../../ui/command.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Failure } from '../../ui/failure.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';
import { TextLink } from '../../ui/text-link.js';

const DeadLetterDrawer = lazy(() => import('./dead-letter-drawer.js'));
const route = getRouteApi('/app/system');

const COLUMNS: readonly TableColumn<DeadLetter>[] = [
  {
    key: 'failed',
    label: 'Failed',
    isHead: true,
    isTime: true,
    value: (letter) => letter.failed_at,
    cell: (letter) => (
      <TextLink from="/system" to="." search={{ letter: letter.id }} hash resetScroll={false} size="sm">
        <RelativeTime time={letter.failed_at} />
      </TextLink>
    ),
  },
  { key: 'reason', label: 'Reason', value: ({ reason }) => reason.replaceAll('_', ' ') },
  { key: 'topic', label: 'Topic', value: ({ topic }) => topic },
  { key: 'size', label: 'Size', isNumber: true, value: ({ size }) => size, cell: ({ size }) => formatBytes(size) },
  {
    key: 'replayed',
    label: 'Replayed',
    isTime: true,
    value: (letter) => letter.replayed_at,
    cell: ({ replayed_at: at }) => (at === null ? 'no' : <RelativeTime time={at} />),
  },
];

/** @param open Number of dead letters that haven't been replayed. */
export function DeadLetters({ open }: { open: number }) {
  const { letter } = route.useSearch();
  const navigate = route.useNavigate();
  const letters = useQuery(deadLettersQuery);
  const queryClient = useQueryClient();
  const replay = useMutation({
    mutationFn: async (ids: string[]) => {
      const result = await data(client.POST('/api/dead-letters/replay', { body: { ids } }));
      await queryClient.invalidateQueries({ queryKey: ['dead-letters'] });
      await queryClient.invalidateQueries(systemQuery);
      return result;
    },
  });
  const letterRows = letters.data?.dead_letters ?? [];
  const replayable = letterRows.filter(({ replayed_at: at }) => at === null);
  return (
    <Section
      title="Failed visits"
      lead={`Visits that couldn’t be processed are kept here unchanged so you can replay them. The API and the CLI call them dead letters. ${open === 0 ? 'There are none.' : `${formatCount(open)} not replayed yet.`}`}
    >
      {letters.isPending && <Loader size="sm" />}
      {letters.isError && <Failure error={letters.error} title="Couldn’t load the failed visits" />}
      {letterRows.length > 0 && (
        <DataTable
          label="Failed visits"
          columns={COLUMNS}
          rows={letterRows}
          rowKey={({ id }) => id}
          readAll={fetchAllDeadLetters}
        />
      )}
      {letters.data?.next_cursor != null && (
        <Text size="xs" c="dimmed">
          Showing the newest 50. For the full list, export the table or run <Code>{command('dead-letters list')}</Code>.
        </Text>
      )}
      {replayable.length > 0 && (
        <Group gap="xs">
          <Button
            size="compact-sm"
            variant="default"
            loading={replay.isPending}
            onClick={() => replay.mutate(replayable.map(({ id }) => id))}
          >
            Replay {replayable.length === 1 ? 'it' : `these ${replayable.length}`}
          </Button>
          <Text size="sm" c="dimmed">
            Processes them again. Any that fail again reappear here.
          </Text>
        </Group>
      )}
      <Text size="sm" aria-live="polite">
        {replay.isSuccess ? `${formatCount(replay.data.replayed)} replayed.` : ''}
      </Text>
      {replay.isError && <Failure error={replay.error} title="Couldn’t replay the visits" />}
      <Suspense>
        {letter !== undefined && (
          <DeadLetterDrawer
            id={letter}
            onClose={() => void navigate({ search: {}, hash: true, resetScroll: false })}
            replay={(id) => replay.mutateAsync([id])}
          />
        )}
      </Suspense>
    </Section>
  );
}
