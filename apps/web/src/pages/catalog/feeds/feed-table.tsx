import { Button, FileButton, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client, data } from '../../../api/client.js';
import type { AgentFeed } from '../../../api/feed-queries.js';
import { countText } from '../../../format/count.js';
import { Confirm } from '../../../ui/confirm.js';
import { DataTable, type TableColumn } from '../../../ui/data-table.js';
import { Failure } from '../../../ui/failure.js';
import { RelativeTime } from '../../../ui/relative-time.js';
import { TextLink } from '../../../ui/text-link.js';
import classes from '../catalog.module.css';
import { STATES, type FeedsSearch } from './search.js';

const FEED_STATES: Record<AgentFeed['state'], string> = {
  waiting: 'Being read',
  current: 'Up to date',
  failed: 'Not taken',
};
const SHOWN = ['proposed', 'accepted', 'known', 'refused', 'dismissed'] as const;

const BREAKABLE = { overflowWrap: 'anywhere' } as const;

const columnsOf = (onShow: FeedTableProps['onShow']): readonly TableColumn<AgentFeed>[] => [
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
    label: 'Last read',
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
  { key: 'gone', label: 'Gone', isOnlyExported: true, value: ({ counts }) => counts.gone },
  { key: 'change', label: 'Change', cell: (feed) => <FeedActions feed={feed} onShow={onShow} /> },
];

interface FeedTableProps {
  feeds: readonly AgentFeed[];
  onShow: (to: Partial<FeedsSearch>) => void;
}

export const FeedTable = ({ feeds, onShow }: FeedTableProps) => (
  <DataTable
    label="Agent feeds"
    columns={columnsOf(onShow)}
    rows={feeds}
    rowKey={({ id }) => id}
    className={classes['table']}
  />
);

const AgentCounts = ({ feed }: { feed: AgentFeed }) => (
  <>
    {SHOWN.filter((state) => feed.counts[state] > 0).map((state) => (
      <div key={state}>
        <TextLink
          to="/catalog/feeds"
          search={{ feed: feed.id, ...(state !== 'proposed' && { state }) }}
          size="sm"
          // Large enough to tap.
          style={{ display: 'inline-block', paddingBlock: 3, whiteSpace: 'nowrap' }}
        >
          {countText(feed.counts[state])} {STATES[state].toLowerCase()}
        </TextLink>
      </div>
    ))}
    {feed.counts.gone > 0 && (
      <Text size="xs" c="dimmed">
        {countText(feed.counts.gone)} of them gone from the feed
      </Text>
    )}
  </>
);

function FeedActions({ feed, onShow }: { feed: AgentFeed; onShow: FeedTableProps['onShow'] }) {
  const [isAsking, setAsking] = useState(false);
  const queryClient = useQueryClient();
  const path = { path: { feedId: feed.id } };
  const doing = useMutation({
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
  const send = (file: File | null): void => {
    if (file !== null) doing.mutate(async () => change({ document: await file.text() }));
  };
  return (
    <>
      <Group gap="xs">
        <Button
          size="compact-xs"
          variant="default"
          loading={doing.isPending || feed.state === 'waiting'}
          onClick={() => doing.mutate(refresh)}
        >
          Refresh<span className="unseen"> {feed.name}</span>
        </Button>
        {feed.url === null && (
          <FileButton
            onChange={send}
            accept="application/json,.json"
            inputProps={{ 'aria-label': `File of ${feed.name}` }}
          >
            {(props) => (
              <Button size="compact-xs" variant="default" {...props}>
                Send again<span className="unseen"> {feed.name}</span>
              </Button>
            )}
          </FileButton>
        )}
        <Button size="compact-xs" variant="default" c="var(--failed)" onClick={() => setAsking(true)}>
          Remove<span className="unseen"> {feed.name}</span>
        </Button>
        <Button
          size="compact-xs"
          variant={feed.accepts_all ? 'filled' : 'default'}
          aria-pressed={feed.accepts_all}
          disabled={doing.isPending}
          onClick={() => doing.mutate(() => change({ accepts_all: !feed.accepts_all }))}
        >
          Always accept<span className="unseen"> what {feed.name} brings</span>
        </Button>
      </Group>
      {doing.isError && <Failure error={doing.error} />}
      {isAsking && (
        <Confirm title={`Remove ${feed.name}?`} label="Remove" action={remove} onClose={() => setAsking(false)}>
          What it proposes is forgotten. Agents that you accepted from it stay in the catalog.
        </Confirm>
      )}
    </>
  );
}
