import { Button, Code, Group, Loader, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { client, data } from '../../api/client.js';
import { deadLettersQuery, readAllDeadLetters, systemQuery, type DeadLetter } from '../../api/system-queries.js';
import { countText } from '../../format/count.js';
import { bytesText } from '../../format/bytes.js';
import { command } from '../../ui/command.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Failure } from '../../ui/failure.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';
import { TextLink } from '../../ui/text-link.js';

const DeadLetterDrawer = lazy(() => import('./dead-letter-drawer.js'));
const route = getRouteApi('/app/system');

/** Payloads are not included. */
const COLUMNS: readonly TableColumn<DeadLetter>[] = [
  {
    key: 'failed',
    label: 'Failed',
    isHead: true,
    isTime: true,
    value: (letter) => letter.failed_at,
    cell: (letter) => (
      <TextLink from="/system" to="." search={{ letter: letter.id }} resetScroll={false} size="sm">
        <RelativeTime time={letter.failed_at} />
      </TextLink>
    ),
  },
  { key: 'reason', label: 'Reason', value: ({ reason }) => reason.replaceAll('_', ' ') },
  { key: 'topic', label: 'Topic', value: ({ topic }) => topic },
  { key: 'size', label: 'Size', isNumber: true, value: ({ size }) => size, cell: ({ size }) => bytesText(size) },
  {
    key: 'replayed',
    label: 'Replayed',
    isTime: true,
    value: (letter) => letter.replayed_at,
    cell: ({ replayed_at: at }) => (at === null ? 'no' : <RelativeTime time={at} />),
  },
];

/** Messages that could not be processed. They can be inspected and replayed. */
export function DeadLetters({ open }: { open: number }) {
  const { letter } = route.useSearch();
  const navigate = route.useNavigate();
  const letters = useQuery(deadLettersQuery);
  const queryClient = useQueryClient();
  const replay = useMutation({
    mutationFn: async (ids: string[]) => {
      const answer = await data(client.POST('/api/dead-letters/replay', { body: { ids } }));
      await queryClient.invalidateQueries({ queryKey: ['dead-letters'] });
      await queryClient.invalidateQueries(systemQuery);
      return answer;
    },
  });
  const listed = letters.data?.dead_letters ?? [];
  const waiting = listed.filter(({ replayed_at: at }) => at === null);
  return (
    <Section
      title="Dead letters"
      lead={`Visits that could not be processed, kept byte for byte. ${open === 0 ? 'None open.' : `${countText(open)} open.`}`}
    >
      {letters.isPending && <Loader size="sm" />}
      {letters.isError && <Failure error={letters.error} title="The dead letters can't be shown" />}
      {listed.length > 0 && (
        <DataTable
          label="Dead letters"
          columns={COLUMNS}
          rows={listed}
          rowKey={({ id }) => id}
          readAll={readAllDeadLetters}
        />
      )}
      {letters.data?.next_cursor != null && (
        <Text size="xs" c="dimmed">
          These are the newest 50; the export and <Code>{command('dead-letters list')}</Code> have all of them.
        </Text>
      )}
      {waiting.length > 0 && (
        <Group gap="xs">
          <Button
            size="compact-sm"
            variant="default"
            loading={replay.isPending}
            onClick={() => replay.mutate(waiting.map(({ id }) => id))}
          >
            Replay {waiting.length === 1 ? 'it' : `these ${waiting.length}`}
          </Button>
          <Text size="sm" c="dimmed">
            Returns them to their topic. Those that fail again are listed again.
          </Text>
        </Group>
      )}
      <Text size="sm" aria-live="polite">
        {replay.isSuccess ? `${countText(replay.data.replayed)} replayed.` : ''}
      </Text>
      {replay.isError && <Failure error={replay.error} title="They could not be replayed" />}
      <Suspense>
        {letter !== undefined && (
          <DeadLetterDrawer
            id={letter}
            onClose={() => void navigate({ search: {}, resetScroll: false })}
            replay={(id) => replay.mutateAsync([id])}
          />
        )}
      </Suspense>
    </Section>
  );
}
