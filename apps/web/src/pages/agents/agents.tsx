import { Button, Group, NativeSelect, Skeleton, Stack } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { projectQuery } from '../../api/queries.js';
import { overviewQuery } from '../../api/statistics.js';
import { listLink } from '../../range/list-link.js';
import { NothingInRange } from '../../range/nothing-in-range.js';
import { RangePage } from '../../range/range-page.js';
import type { Range, RangeSearch } from '../../range/range.js';
import { useRange } from '../../range/use-range.js';
import { EmptyState } from '../../ui/empty-state.js';
import { usePageTitle } from '../../ui/page-title.js';
import { useSlashKey } from '../../ui/slash-key.js';
import { TextLink } from '../../ui/text-link.js';
import { TypedInput } from '../../ui/typed-input.js';
import { AGENT_TYPES } from '../../ui/agent-types.js';
import { AgentTable } from './agent-table.js';
import type { AgentsSearch, Sort } from './search.js';
import { useAgents } from './use-agents.js';

const route = getRouteApi('/app/projects/$projectId/agents');

export function AgentsPage() {
  const { projectId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  usePageTitle('Agents', project.name);
  const shown = useRange(projectId, search);
  const list = useAgents(projectId, search, shown);
  const change = (to: Partial<AgentsSearch>, replace = false): void =>
    void navigate({ search: (now) => ({ ...now, ...to }), replace, resetScroll: false });
  const isFiltered = search.q !== undefined || search.type !== undefined;
  return (
    <RangePage
      title="Agents"
      projectId={projectId}
      search={search}
      shown={shown}
      onChange={change}
      answer={list}
      failed="The agents can't be shown"
      skeleton={<Skeleton h={400} animate={false} />}
      filters={<Filters search={search} onChange={(to) => change(to, true)} />}
    >
      {({ pages }) => {
        const agents = pages.flatMap((page) => page.agents);
        if (agents.length > 0) {
          return (
            <Stack>
              <AgentTable projectId={projectId} agents={agents} range={pages[0]!} />
              {list.hasNextPage && (
                <Group justify="center">
                  <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                    Load more
                  </Button>
                </Group>
              )}
            </Stack>
          );
        }
        if (!isFiltered) return <Nobody projectId={projectId} range={shown} onChange={change} />;
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

function Filters({ search: { q = '', type = '', sort = 'visits' }, onChange }: FiltersProps) {
  const field = useSlashKey();
  return (
    <Group role="search" aria-label="Agents" gap="xs" align="end">
      <TypedInput
        label="Agent or operator"
        size="xs"
        value={q}
        ref={field}
        onTyped={(text) => onChange({ q: text || undefined })}
      />
      <NativeSelect
        label="Type"
        size="xs"
        value={type}
        onChange={({ currentTarget }) => onChange({ type: currentTarget.value || undefined })}
        data={[{ value: '', label: 'All' }, ...AGENT_TYPES]}
      />
      <NativeSelect
        label="Sort by"
        size="xs"
        value={sort}
        onChange={({ currentTarget }) => onChange({ sort: currentTarget.value as Sort })}
        data={[
          { value: 'visits', label: 'Most visits' },
          { value: 'last_seen', label: 'Last seen' },
          { value: 'token', label: 'Name' },
        ]}
      />
    </Group>
  );
}

interface NobodyProps {
  projectId: string;
  range: Range;
  onChange: (change: Partial<RangeSearch>) => void;
}

/** No visit at all, or none of a known agent. */
function Nobody({ projectId, range, onChange }: NobodyProps) {
  const { data: overview } = useQuery(overviewQuery(projectId, range));
  if (overview === undefined || overview.current.visits === 0) {
    return <NothingInRange projectId={projectId} onChange={onChange} />;
  }
  return (
    <EmptyState title="No known agents visited in this range">
      There were {overview.current.visits.toLocaleString('en')} visits from people and from agents that are not in the
      catalog. <TextLink {...listLink(projectId, range)({})}>Show these visits</TextLink>
    </EmptyState>
  );
}
