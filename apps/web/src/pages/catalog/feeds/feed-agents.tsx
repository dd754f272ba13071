import { Anchor, Button, Code, Group, Loader, NativeSelect, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { client, data } from '../../../api/client.js';
import {
  feedAgentsQuery,
  proposalVisitsQuery,
  type AgentFeed,
  type FeedAgent,
  type FeedAgentState,
} from '../../../api/feed-queries.js';
import { formatCount } from '../../../format/count.js';
import { DataTable, type TableColumn } from '../../../ui/data-table.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { Failure } from '../../../ui/failure.js';
import { Section } from '../../../ui/section.js';
import { TextLink } from '../../../ui/text-link.js';
import classes from '../catalog.module.css';
import { EarlierVisits } from '../earlier-visits.js';
import { STATE_LABELS, type FeedsSearch } from './search.js';

const PAGE_SIZE = 100;

/** Agent from a feed, with the number of visits it would match. The number is null while it loads. */
type Row = FeedAgent & { visits: number | null };

const BASE_COLUMNS: readonly TableColumn<Row>[] = [
  { key: 'agent', label: 'Agent', isHead: true, value: ({ token }) => token, cell: (row) => <AgentName row={row} /> },
  { key: 'feed', label: 'Feed', value: ({ feed_name: name }) => name, style: { minWidth: '6rem' } },
  { key: 'type', label: 'Type', value: ({ record }) => record?.type ?? null },
  {
    key: 'patterns',
    label: 'Patterns',
    value: ({ record }) => record?.user_agent_patterns.join(' ') ?? null,
    cell: ({ record }) =>
      record?.user_agent_patterns.map((pattern) => (
        <Code key={pattern} style={{ overflowWrap: 'anywhere' }}>
          {pattern}
        </Code>
      )),
  },
];
const createProposedColumns = (decide: ReturnType<typeof useDecision>): readonly TableColumn<Row>[] => [
  ...BASE_COLUMNS,
  {
    key: 'visits',
    label: 'Visits in 7 days',
    isNumber: true,
    value: ({ visits }) => visits,
    cell: ({ visits }) => (visits === null ? '…' : formatCount(visits)),
  },
  { key: 'decision', label: 'Decision', cell: (row) => <Decisions row={row} decide={decide} /> },
];
const DECIDED_COLUMNS: readonly TableColumn<Row>[] = [
  ...BASE_COLUMNS,
  { key: 'reason', label: 'Reason', value: ({ reason }) => reason, style: { overflowWrap: 'anywhere' } },
  { key: 'seen', label: 'First seen', isTime: true, value: ({ first_seen_at: at }) => at },
];

interface FeedAgentsProps {
  feeds: readonly AgentFeed[];
  search: FeedsSearch;
  onChange: (to: Partial<FeedsSearch>) => void;
}

/** Agents from feeds, filtered by state. Proposed agents are shown by default. */
export function FeedAgents({ feeds, search, onChange }: FeedAgentsProps) {
  const { state = 'proposed' } = search;
  const feed = feeds.find(({ id }) => id === search.feed);
  const isProposed = state === 'proposed';
  const result = useQuery(feedAgentsQuery({ state, ...(feed && { feed_id: feed.id }) }));
  const visits = useQuery({ ...proposalVisitsQuery, enabled: isProposed && (result.data?.total ?? 0) > 0 });
  const rows = useMemo(() => {
    const byAgent = new Map(visits.data?.proposals.map((one) => [`${one.feed_id} ${one.agent_id}`, one.visits]));
    return (result.data?.agents ?? []).map((agent): Row => {
      const visitCount = byAgent.get(`${agent.feed_id} ${agent.agent_id}`) ?? 0;
      return { ...agent, visits: visits.data ? visitCount : null };
    });
  }, [result.data, visits.data]);
  const total = result.data?.total ?? 0;
  return (
    <Section
      title={STATE_LABELS[state]}
      lead={
        isProposed && visits.data
          ? `Visits by unknown visitors that each agent would match, based on ${formatCount(visits.data.read)} stored visits from the last 7 days${visits.data.is_estimate ? ', a sample' : ''}. None of the agents matches a common browser.`
          : undefined
      }
    >
      <Group gap="xs" align="end">
        <NativeSelect
          label="Show"
          size="xs"
          value={state}
          data={Object.entries(STATE_LABELS).map(([value, label]) => ({ value, label }))}
          onChange={({ currentTarget: { value } }) =>
            onChange({ state: value === 'proposed' ? undefined : (value as FeedAgentState) })
          }
        />
        <NativeSelect
          label="Feed"
          size="xs"
          value={feed?.id ?? ''}
          data={[{ value: '', label: 'All feeds' }, ...feeds.map(({ id, name }) => ({ value: id, label: name }))]}
          onChange={({ currentTarget: { value } }) => onChange({ feed: value || undefined })}
        />
        {isProposed && <DecideAll feeds={feed ? [feed] : feeds} />}
      </Group>
      {result.isPending && <Loader size="sm" />}
      {result.isError && <Failure error={result.error} title="Couldn't load the agents" />}
      {result.isSuccess && total === 0 && (
        <EmptyState title={isProposed ? 'No proposed agents' : `No agents are ${STATE_LABELS[state].toLowerCase()}`}>
          {isProposed && 'New agents appear here when a feed proposes them.'}
        </EmptyState>
      )}
      {total > 0 && <AgentRows key={state} rows={rows} isProposed={isProposed} total={total} />}
    </Section>
  );
}

/** Buttons that accept or dismiss all of a feed's proposals. Hidden if several feeds have proposals. */
function DecideAll({ feeds }: { feeds: readonly AgentFeed[] }) {
  const feedsWithProposals = feeds.filter(({ counts }) => counts.proposed > 0);
  const [feed] = feedsWithProposals;
  const decide = useDecision();
  if (feed === undefined || feedsWithProposals.length > 1) return null;
  const all = (decision: Decision) => () => decide.mutate({ decision, feedId: feed.id });
  return (
    <>
      <Button size="xs" loading={decide.isPending} onClick={all('accept')}>
        Accept all {formatCount(feed.counts.proposed)}
      </Button>
      <Button size="xs" variant="default" disabled={decide.isPending} onClick={all('dismiss')}>
        Dismiss all
      </Button>
      <Outcome {...decide} />
    </>
  );
}

interface AgentRowsProps {
  rows: readonly Row[];
  isProposed: boolean;
  total: number;
}

function AgentRows({ rows: all, isProposed, total }: AgentRowsProps) {
  const decide = useDecision();
  return (
    <>
      <Outcome {...decide} />
      <DataTable
        label="Feed agents"
        columns={isProposed ? createProposedColumns(decide) : DECIDED_COLUMNS}
        rows={all}
        rowKey={(row) => `${row.feed_id} ${row.agent_id}`}
        {...(isProposed && { initial: 'visits' })}
        pageSize={PAGE_SIZE}
        className={classes['table']}
      />
      {total > all.length && (
        <Text size="sm" c="dimmed">
          Showing the first {formatCount(all.length)} of {formatCount(total)}. Choose a feed, or review these first.
        </Text>
      )}
    </>
  );
}

function AgentName({ row }: { row: Row }) {
  const url = row.record?.url ?? null;
  return (
    <>
      {row.state === 'accepted' || row.is_change ? (
        <TextLink to="/catalog" search={{ agent: row.token }} size="sm">
          {row.token}
        </TextLink>
      ) : (
        row.token
      )}
      {row.is_change && ' (changed in the feed)'}
      {row.gone_at !== null && ' (removed from the feed)'}
      {url !== null && (
        <div>
          <Anchor href={url} rel="noreferrer" target="_blank" size="xs">
            {URL.parse(url)?.hostname ?? url}
            <span className="unseen"> about {row.token}</span>
          </Anchor>
        </div>
      )}
    </>
  );
}

function Decisions({ row, decide }: { row: Row; decide: ReturnType<typeof useDecision> }) {
  const one = (decision: Decision) => () => decide.mutate({ decision, feedId: row.feed_id, agentIds: [row.agent_id] });
  return (
    <Group gap={4} wrap="nowrap">
      <Button size="compact-xs" disabled={decide.isPending} onClick={one('accept')}>
        Accept<span className="unseen"> {row.token}</span>
      </Button>
      <Button size="compact-xs" variant="default" disabled={decide.isPending} onClick={one('dismiss')}>
        Dismiss<span className="unseen"> {row.token}</span>
      </Button>
    </Group>
  );
}

type Decision = 'accept' | 'dismiss';
interface DecisionRequest {
  decision: Decision;
  feedId: string;
  agentIds?: string[];
}

function useDecision() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ decision, feedId, agentIds }: DecisionRequest) => {
      const body = { feed_id: feedId, ...(agentIds && { agent_ids: agentIds }) };
      const path = decision === 'accept' ? '/api/agent-proposals/accept' : '/api/agent-proposals/dismiss';
      return { decision, ...(await data(client.POST(path, { body }))) };
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['catalog'] }),
  });
}

function Outcome({ data: outcome, error }: Pick<ReturnType<typeof useDecision>, 'data' | 'error'>) {
  return (
    <div role="status">
      {error !== null && <Failure error={error} />}
      {outcome && (
        <Text size="sm">
          {outcome.decision === 'accept' ? 'Accepted' : 'Dismissed'} {formatCount(outcome.decided)}.
          {outcome.refused.map(({ token, reason }) => ` ${token} was rejected: ${reason}`)}
        </Text>
      )}
      {outcome?.decision === 'accept' && outcome.decided > 0 && <EarlierVisits />}
    </div>
  );
}
