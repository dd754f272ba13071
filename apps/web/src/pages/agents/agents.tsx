import { Button, Group, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { overviewQuery } from '../../api/statistics.js';
import { formatCount } from '../../format/count.js';
import { describeComparison } from '../../range/comparison.js';
import { useEarlierData } from '../../range/earlier-data.js';
import { describeRange } from '../../range/describe-range.js';
import { listLink } from '../../range/list-link.js';
import { EmptyRange } from '../../range/empty-range.js';
import { RangePage } from '../../range/range-page.js';
import { linkedRange, type Range, type RangeSearch } from '../../range/range.js';
import { useRangePage } from '../../range/use-range-page.js';
import { CardSkeleton } from '../../ui/card-skeleton.js';
import { DataTable } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { useSlashKey } from '../../ui/use-slash-key.js';
import { SavedFilters } from '../../saved-filters/saved-filters.js';
import type { Sort } from '../../ui/sorting.js';
import { TableTools } from '../../ui/table-tools.js';
import { TextLink } from '../../ui/text-link.js';
import { DebouncedInput } from '../../ui/debounced-input.js';
import { AGENT_TYPES } from '../../ui/agent-types.js';
import { SmallSelect } from '../../ui/small-select.js';
import { AgentsAnswer } from './agents-answer.js';
import { AGENT_AREAS, createAgentColumns } from './agent-columns.js';
import classes from './agents.module.css';
import { toSort, toSortSearch, type AgentsSearch } from './search.js';
import { fetchAllAgents, useAgents } from './use-agents.js';

const route = getRouteApi('/app/projects/$projectId/agents');

/** Height of the answer with a button and the legend, by minimum screen width. */
const ANSWER_HEIGHT_PX = { base: 165, xs: 82 };

export function AgentsPage() {
  const { project, projectId, search, shown, change, head } = useRangePage<AgentsSearch>('Agents', route);
  const list = useAgents(projectId, search, shown);
  const sort = (by: Sort): void => change(toSortSearch(by), true);
  const linked = linkedRange(search, shown);
  const before = describeComparison(search, shown.timeZone);
  const agents = list.data?.pages.flatMap((page) => page.agents) ?? [];
  const maxVisits = Math.max(1, ...agents.map(({ visits }) => visits));
  const { data: overview } = useQuery(overviewQuery(projectId, shown));
  const hasEarlierData = useEarlierData(projectId, overview, shown);
  const columns = createAgentColumns(project, shown, {
    maxVisits,
    range: linked,
    before: hasEarlierData ? before : null,
  });
  const isFiltered = search.q !== undefined || search.type !== undefined;
  return (
    <RangePage
      {...head}
      answer={list}
      isCompared
      errorTitle="Couldn't load the agents"
      skeleton={<CardSkeleton rows={20} hasTitle={false} />}
      filters={
        <Stack gap="sm">
          {overview === undefined ? (
            <Skeleton h={ANSWER_HEIGHT_PX} animate={false} />
          ) : (
            <AgentsAnswer
              {...{ project, overview, linked, before, hasEarlierData }}
              timeZone={shown.timeZone}
              when={describeRange(search)}
            />
          )}
          <Group justify="space-between" gap="xs">
            <Filters search={search} onChange={(to) => change(to, true)} />
            <TableTools
              columns={columns}
              sort={toSort(search)}
              onSort={sort}
              rows={() => fetchAllAgents(projectId, search, shown)}
              owner={project.name}
              page="agents"
              range={shown}
            />
          </Group>
        </Stack>
      }
    >
      {() => {
        if (agents.length > 0) {
          return (
            <DataTable
              label="Agents"
              columns={columns}
              rows={agents}
              rowKey={(agent) => agent.agent_id}
              sorting={{ sort: toSort(search), onSort: sort }}
              more={list}
              phone={AGENT_AREAS}
            />
          );
        }
        if (!isFiltered) return <NoAgents projectId={projectId} range={shown} onChange={change} />;
        return (
          <EmptyState title="No agents match">
            <Button size="xs" variant="default" onClick={() => change({ q: undefined, type: undefined })}>
              Clear search and type
            </Button>
          </EmptyState>
        );
      }}
    </RangePage>
  );
}

interface FiltersProps {
  search: AgentsSearch;
  onChange: (change: Partial<AgentsSearch>) => void;
}

function Filters({ search: { q = '', type = '' }, onChange }: FiltersProps) {
  const field = useSlashKey();
  return (
    <div role="search" aria-label="Agents" className={classes['filters']}>
      <DebouncedInput
        aria-label="Agent or operator"
        placeholder="Agent or operator"
        className={classes['search'] ?? ''}
        size="xs"
        value={q}
        ref={field}
        onTyped={(text) => onChange({ q: text || undefined })}
      />
      <SmallSelect
        aria-label="Type"
        value={type}
        onChange={(selected) => onChange({ type: selected || undefined })}
        options={[{ value: '', label: 'All types' }, ...AGENT_TYPES.map((name) => ({ value: name, label: name }))]}
      />
      <SavedFilters />
    </div>
  );
}

interface NoAgentsProps {
  projectId: string;
  range: Range;
  onChange: (change: Partial<RangeSearch>) => void;
}

/** Empty state for a range without visits, or without visits by known agents. */
function NoAgents({ projectId, range, onChange }: NoAgentsProps) {
  const { data: overview } = useQuery(overviewQuery(projectId, range));
  if (overview === undefined || overview.current.visits === 0) {
    return <EmptyRange projectId={projectId} onChange={onChange} />;
  }
  return (
    <EmptyState title="No known agents visited in this range">
      There were {formatCount(overview.current.visits)} visits by people and by agents that aren’t in the catalog.{' '}
      <TextLink {...listLink(projectId, range)({})}>Show these visits</TextLink>
    </EmptyState>
  );
}
