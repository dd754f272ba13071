import { Button, FileButton, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client, data } from '../../../api/client.js';
import type { AgentFeed } from '../../../api/feed-queries.js';
import { formatCount } from '../../../format/count.js';
import { Confirm } from '../../../ui/confirm.js';
import { DataTable, type TableColumn } from '../../../ui/data-table.js';
import { Failure } from '../../../ui/failure.js';
import { RelativeTime } from '../../../ui/relative-time.js';
import { TextLink } from '../../../ui/text-link.js';
import classes from '../catalog.module.css';
import { STATE_LABELS, type FeedsSearch } from './search.js';

const FEED_STATES: Record<AgentFeed['state'], string> = {
  waiting: 'Being fetched',
  current: 'Up to date',
  failed: 'Fetch failed',
};
const LISTED_STATES = ['proposed', 'accepted', 'known', 'refused', 'dismissed'] as const;

const BREAKABLE = { overflowWrap: 'anywhere' } as const;

const createColumns = (onShow: FeedTableProps['onShow']): readonly TableColumn<AgentFeed>[] => [
  {
    key: 'feed',
    label: 'Feed',
    isHead: true,
    value: ({ name }) => name,
    cell: (feed) => (
      <>
        {feed.name}
        {feed.public_key !== null && (
          <Text size="xs" c="dimmed" fw={400}>
            {feed.signed_at === null ? 'must be signed' : 'signed '}
            {feed.signed_at !== null && <RelativeTime time={feed.signed_at} />}
          </Text>
        )}
      </>
    ),
  },
  {
    key: 'source',
    label: 'Source',
    value: ({ url }) => url ?? 'file',
    cell: ({ url, format }) => (
      <>
        {url ?? 'a file'}
        {format !== null && (
          <Text size="xs" c="dimmed">
            format {format}
          </Text>
        )}
      </>
    ),
    style: BREAKABLE,
  },
  {
    key: 'state',
    label: 'State',
    value: ({ state, fault }) => fault ?? FEED_STATES[state],
    cell: ({ state, fault }) => (
      <>
        {FEED_STATES[state]}
        {fault !== null && (
          <Text size="xs" c="var(--failed)">
            {fault}
          </Text>
        )}
      </>
    ),
    style: BREAKABLE,
  },
  {
    key: 'read',
    label: 'Last fetched',
    isTime: true,
    value: ({ fetched_at: at }) => at,
    cell: ({ fetched_at: at }) => (at === null ? 'never' : <RelativeTime time={at} />),
  },
  {
    key: 'agents',
    label: 'Agents',
    isNumber: true,
    value: ({ counts }) => counts.proposed,
    cell: (feed) => <AgentCounts feed={feed} />,
    style: { whiteSpace: 'normal' },
  },
  { key: 'gone', label: 'Removed from feed', isOnlyExported: true, value: ({ counts }) => counts.gone },
  { key: 'change', label: 'Change', cell: (feed) => <FeedActions feed={feed} onShow={onShow} /> },
];

interface FeedTableProps {
  feeds: readonly AgentFeed[];
  onShow: (to: Partial<FeedsSearch>) => void;
}

export const FeedTable = ({ feeds, onShow }: FeedTableProps) => (
  <DataTable
    label="Agent feeds"
    columns={createColumns(onShow)}
    rows={feeds}
    rowKey={({ id }) => id}
    className={classes['table']}
  />
);

const AgentCounts = ({ feed }: { feed: AgentFeed }) => (
  <>
    {LISTED_STATES.filter((state) => feed.counts[state] > 0).map((state) => (
      <div key={state}>
        <TextLink
          to="/catalog/feeds"
          search={{ feed: feed.id, ...(state !== 'proposed' && { state }) }}
          size="sm"
          // Makes the link large enough to tap.
          style={{ display: 'inline-block', paddingBlock: 3, whiteSpace: 'nowrap' }}
        >
          {formatCount(feed.counts[state])} {STATE_LABELS[state].toLowerCase()}
        </TextLink>
      </div>
    ))}
    {feed.counts.gone > 0 && (
      <Text size="xs" c="dimmed">
        {formatCount(feed.counts.gone)} of them removed from the feed
      </Text>
    )}
  </>
);

function FeedActions({ feed, onShow }: { feed: AgentFeed; onShow: FeedTableProps['onShow'] }) {
  const [isConfirmingRemoval, setConfirmingRemoval] = useState(false);
  const queryClient = useQueryClient();
  const path = { path: { feedId: feed.id } };
  const mutation = useMutation({
    mutationFn: (action: () => Promise<unknown>) => action(),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['catalog'] }),
  });
  const refresh = (): Promise<unknown> => data(client.POST('/api/agent-feeds/{feedId}/refresh', { params: path }));
  const change = (body: { accepts_all?: boolean; document?: string }): Promise<unknown> =>
    data(client.PATCH('/api/agent-feeds/{feedId}', { params: path, body }));
  const remove = async (): Promise<void> => {
    await data(client.DELETE('/api/agent-feeds/{feedId}', { params: path }));
    onShow({ feed: undefined });
    await queryClient.invalidateQueries({ queryKey: ['catalog'] });
  };
  const upload = (file: File | null): void => {
    if (file !== null) mutation.mutate(async () => change({ document: await file.text() }));
  };
  return (
    <>
      <Group gap="xs">
        <Button
          size="compact-xs"
          variant="default"
          loading={mutation.isPending || feed.state === 'waiting'}
          onClick={() => mutation.mutate(refresh)}
        >
          Refresh<span className="unseen"> {feed.name}</span>
        </Button>
        {feed.url === null && (
          <FileButton
            onChange={upload}
            accept="application/json,.json"
            inputProps={{ 'aria-label': `File for ${feed.name}` }}
          >
            {(props) => (
              <Button size="compact-xs" variant="default" {...props}>
                Upload again<span className="unseen"> {feed.name}</span>
              </Button>
            )}
          </FileButton>
        )}
        <Button size="compact-xs" variant="default" c="var(--failed)" onClick={() => setConfirmingRemoval(true)}>
          Remove<span className="unseen"> {feed.name}</span>
        </Button>
        <Button
          size="compact-xs"
          variant={feed.accepts_all ? 'filled' : 'default'}
          aria-pressed={feed.accepts_all}
          disabled={mutation.isPending}
          onClick={() => mutation.mutate(() => change({ accepts_all: !feed.accepts_all }))}
        >
          Always accept<span className="unseen"> what {feed.name} brings</span>
        </Button>
      </Group>
      {mutation.isError && <Failure error={mutation.error} />}
      {isConfirmingRemoval && (
        <Confirm
          title={`Remove ${feed.name}?`}
          label="Remove feed"
          action={remove}
          onClose={() => setConfirmingRemoval(false)}
        >
          This deletes the feed’s proposals. Agents you accepted from it remain in the catalog.
        </Confirm>
      )}
    </>
  );
}
