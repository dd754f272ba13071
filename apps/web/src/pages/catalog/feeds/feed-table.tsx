import { Button, FileButton, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client, data } from '../../../api/client.js';
import type { AgentFeed } from '../../../api/feed-queries.js';
import { countText } from '../../../format/count.js';
import { Confirm } from '../../../ui/confirm.js';
import { Failure } from '../../../ui/failure.js';
import plain from '../../../ui/plain-table.module.css';
import { RelativeTime } from '../../../ui/relative-time.js';
import { SortHeads } from '../../../ui/sort-heads.js';
import type { Column } from '../../../ui/sorting.js';
import stacked from '../../../ui/stacked-table.module.css';
import { INSTANCE, TableTools } from '../../../ui/table-tools.js';
import { TextLink } from '../../../ui/text-link.js';
import { useSorted } from '../../../ui/use-sorted.js';
import classes from '../catalog.module.css';
import { STATES, type FeedsSearch } from './search.js';

const FEED_STATES: Record<AgentFeed['state'], string> = {
  waiting: 'Being read',
  current: 'Up to date',
  failed: 'Not taken',
};
const SHOWN = ['proposed', 'accepted', 'known', 'refused', 'dismissed'] as const;

const COLUMNS: readonly Column<AgentFeed>[] = [
  { key: 'feed', label: 'Feed', value: ({ name }) => name },
  { key: 'source', label: 'Source', value: ({ url }) => url ?? 'file' },
  { key: 'state', label: 'State', value: ({ state, fault }) => fault ?? FEED_STATES[state] },
  { key: 'read', label: 'Last read', isLatestFirst: true, value: ({ fetched_at: at }) => at },
  { key: 'agents', label: 'Agents', isNumber: true, value: ({ counts }) => counts.proposed },
  { key: 'gone', label: 'Gone', isOnlyExported: true, value: ({ counts }) => counts.gone },
  { key: 'change', label: 'Change' },
];

export interface FeedTableProps {
  feeds: readonly AgentFeed[];
  onShow: (to: Partial<FeedsSearch>) => void;
}

/** The feeds, with what can be done with each. */
export function FeedTable({ feeds, onShow }: FeedTableProps) {
  const list = useSorted(feeds, COLUMNS);
  return (
    <>
      <TableTools columns={COLUMNS} {...list} owner={INSTANCE} page="agent feeds" />
      <table className={`${plain['table']} ${stacked['table']} ${classes['table']}`}>
        <thead>
          <tr>
            <SortHeads columns={COLUMNS} sort={list.sort} onSort={list.onSort} />
          </tr>
        </thead>
        <tbody>
          {list.rows.map((feed) => (
            <FeedRow key={feed.id} feed={feed} onShow={onShow} />
          ))}
        </tbody>
      </table>
    </>
  );
}

function FeedRow({ feed, onShow }: { feed: AgentFeed; onShow: FeedTableProps['onShow'] }) {
  return (
    <tr>
      <td>
        {feed.name}
        {feed.public_key !== null && (
          <Text size="xs" c="dimmed">
            {feed.signed_at === null ? 'must be signed' : 'signed '}
            {feed.signed_at !== null && <RelativeTime time={feed.signed_at} />}
          </Text>
        )}
      </td>
      <td data-label="Source" style={{ overflowWrap: 'anywhere' }}>
        {feed.url ?? 'a file'}
        {feed.format !== null && (
          <Text size="xs" c="dimmed">
            format {feed.format}
          </Text>
        )}
      </td>
      <td data-label="State" style={{ overflowWrap: 'anywhere' }}>
        {FEED_STATES[feed.state]}
        {feed.fault !== null && (
          <Text size="xs" c="var(--failed)">
            {feed.fault}
          </Text>
        )}
      </td>
      <td data-label="Last read">{feed.fetched_at === null ? 'never' : <RelativeTime time={feed.fetched_at} />}</td>
      <td data-label="Agents">
        {SHOWN.filter((state) => feed.counts[state] > 0).map((state) => (
          <div key={state}>
            <TextLink
              to="/catalog/feeds"
              search={{ feed: feed.id, ...(state !== 'proposed' && { state }) }}
              size="sm"
              // Apart enough to be touched.
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
      </td>
      <td data-label="Change">
        <FeedActions feed={feed} onShow={onShow} />
      </td>
    </tr>
  );
}

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
