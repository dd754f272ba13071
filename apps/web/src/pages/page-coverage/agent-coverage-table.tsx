import { UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { CRAWL_PURPOSES } from '#libs/agents/vocabulary';
import type { Coverage, CoverageAgent, CoveredPagesFilter } from '../../api/coverage.js';
import { formatCount } from '../../format/count.js';
import { MarkedName } from '../../ui/agent-mark.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';

interface AgentCoverageTableProps {
  owner: string;
  coverage: Coverage;
  agents: readonly CoverageAgent[];
  onOpen: (filter: CoveredPagesFilter) => void;
}

const describePurpose = ({ purpose }: CoverageAgent): string =>
  purpose === 'other' ? 'Other' : CRAWL_PURPOSES[purpose].label;

const getName = (agent: CoverageAgent): string =>
  agent.agent_id === null ? 'All other agents' : (agent.agent_token ?? 'Unknown agent');

const renderCount = (count: number): ReactNode => (count === 0 ? <span className="zero">–</span> : formatCount(count));

/** Lists how many pages each agent has fetched, and requests that led to no page. */
export function AgentCoverageTable({ owner, coverage, agents, onOpen }: AgentCoverageTableProps) {
  const pagesButton = (
    { agent_id: agent, agent_token: token }: CoverageAgent,
    state: NonNullable<CoveredPagesFilter['state']>,
    count: number,
    noun: string,
  ) =>
    agent === null || count === 0 ? (
      renderCount(count)
    ) : (
      <UnstyledButton fz="inherit" td="underline" onClick={() => onOpen({ agent, state })}>
        {formatCount(count)}
        <span className="unseen">
          , {noun} by {token}
        </span>
      </UnstyledButton>
    );
  const columns: readonly (TableColumn<CoverageAgent> | false)[] = [
    {
      key: 'agent',
      label: 'Agent',
      isHead: true,
      value: getName,
      cell: (agent) => (
        <MarkedName name={getName(agent)} operator={agent.operator_name}>
          {getName(agent)}
        </MarkedName>
      ),
    },
    { key: 'purpose', label: 'Purpose', value: describePurpose, narrow: { isSoft: true } },
    {
      key: 'fetched',
      label: 'Fetched',
      isNumber: true,
      narrow: { after: 'fetched' },
      value: ({ fetched }) => fetched,
      cell: (agent) => pagesButton(agent, 'fetched', agent.fetched, 'pages fetched'),
    },
    {
      key: 'never',
      label: 'Never fetched',
      isNumber: true,
      narrow: { after: 'never fetched' },
      value: ({ fetched }) => coverage.pages - fetched,
      cell: (agent) => pagesButton(agent, 'never_fetched', coverage.pages - agent.fetched, 'pages never fetched'),
    },
    {
      key: 'unlisted',
      label: 'Not in sitemap',
      isNumber: true,
      narrow: { after: 'not in sitemap' },
      value: ({ unlisted }) => unlisted,
      cell: (agent) => pagesButton(agent, 'unlisted', agent.unlisted, 'pages fetched that no sitemap lists'),
    },
    { key: 'last', label: 'Last fetch', isTime: true, value: (agent) => agent.last_fetch_at, narrow: { isSoft: true } },
    agents.some(({ days_to_first_fetch: days }) => days !== null) && {
      key: 'days',
      label: 'Days to first fetch',
      isNumber: true,
      value: (agent) => agent.days_to_first_fetch,
      cell: ({ days_to_first_fetch: days }) => (days === null ? '–' : days.toFixed(1)),
    },
    { key: 'fetches', label: 'Requests', isNumber: true, value: ({ fetches }) => fetches },
    {
      key: 'query',
      label: 'With parameters',
      isNumber: true,
      value: (agent) => agent.with_query,
      cell: (agent) => renderCount(agent.with_query),
    },
    {
      key: 'repeats',
      label: 'Repeats on same day',
      isNumber: true,
      value: ({ repeats }) => repeats,
      cell: ({ repeats }) => renderCount(repeats ?? 0),
    },
    agents.some(({ redirects }) => redirects > 0) && {
      key: 'redirects',
      label: 'Redirects',
      isNumber: true,
      value: ({ redirects }) => redirects,
      cell: ({ redirects }) => renderCount(redirects),
    },
    {
      key: 'errors',
      label: '4xx, 5xx',
      isNumber: true,
      value: (agent) => agent.client_errors + agent.server_errors,
      cell: (agent) => renderCount(agent.client_errors + agent.server_errors),
    },
    {
      key: 'listed-redirects',
      label: 'Redirects of pages in sitemaps',
      isOnlyExported: true,
      isNumber: true,
      value: (agent) => agent.listed_redirects,
    },
    {
      key: 'listed-errors',
      label: 'Errors of pages in sitemaps',
      isOnlyExported: true,
      isNumber: true,
      value: (agent) => agent.listed_errors,
    },
  ];
  return (
    <DataTable
      label="Agents"
      owner={owner}
      page="coverage"
      columns={columns.filter((column) => column !== false)}
      rows={agents}
      rowKey={(agent) => agent.agent_id ?? ''}
      pageSize={10}
      phone={['agent fetched', 'purpose never', 'last unlisted']}
    />
  );
}
