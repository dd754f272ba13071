import { Anchor, Button, Group, Loader, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useId, type RefObject } from 'react';
import { agentsQuery, catalogQuery, type Agent, type AgentType } from '../../api/catalog-queries.js';
import { sessionQuery } from '../../api/queries.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Failure } from '../../ui/failure.js';
import { Icon } from '../../ui/icon.js';
import { usePageTitle } from '../../ui/page-title.js';
import { useSlashKey } from '../../ui/slash-key.js';
import { TextLink } from '../../ui/text-link.js';
import { TypedInput } from '../../ui/typed-input.js';
import { AGENT_TYPES } from '../../ui/agent-types.js';
import plain from '../../ui/plain-table.module.css';
import classes from './catalog.module.css';
import { methodsOf } from './methods.js';
import { agentFilters, type CatalogSearch } from './search.js';
import { TryUserAgent } from './try-user-agent.js';

const AgentDrawer = lazy(() => import('./agent-drawer.js'));
const route = getRouteApi('/app/catalog');
const NO_FILTERS = { search: undefined, type: undefined, operator: undefined, origin: undefined };

export function Catalog() {
  usePageTitle('Catalog');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const session = useQuery(sessionQuery);
  const mayChange = session.data?.user?.is_admin ?? false;
  const filters = agentFilters(search);
  const found = useInfiniteQuery(agentsQuery(filters));
  const { data: catalog } = useQuery(catalogQuery);
  const firstField = useSlashKey();
  const filter = (to: Partial<CatalogSearch>): void =>
    void navigate({ search: (before) => ({ ...before, ...to }), replace: true, resetScroll: false });
  const open = (to: Partial<CatalogSearch>): void =>
    void navigate({
      search: (before) => ({ ...before, agent: undefined, edit: undefined, add: undefined, ...to }),
      resetScroll: false,
    });
  const agents = found.data?.pages.flatMap((page) => page.agents) ?? [];
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Stack>
      <Group justify="space-between">
        <div>
          <Title order={1}>Catalog</Title>
          <Text c="dimmed" size="sm">
            {catalog && `${catalog.agents.toLocaleString('en')} agents that visits are matched against`}
            {found.data && `; catalog ${found.data.pages[0]!.catalog_version}`}
          </Text>
        </div>
        {mayChange && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => open({ add: true })}>
            Add agent
          </Button>
        )}
      </Group>
      <TryUserAgent userAgent={search.try ?? ''} onChange={(text) => filter({ try: text || undefined })} />
      <Filters search={search} onChange={filter} firstField={firstField} />
      {found.isPending && <Loader size="sm" />}
      {found.isError && (
        <Failure error={found.error} title="The agents can't be shown" retry={() => void found.refetch()} />
      )}
      {found.isSuccess && agents.length === 0 && (
        <EmptyState title={isFiltered ? 'No agents match the filters' : 'No agents'}>
          <Button size="xs" variant="default" onClick={() => filter(NO_FILTERS)}>
            Clear filters
          </Button>
        </EmptyState>
      )}
      {agents.length > 0 && <AgentTable agents={agents} />}
      {found.hasNextPage && (
        <Group justify="center">
          <Button variant="default" loading={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            Show more
          </Button>
        </Group>
      )}
      <Suspense>
        {(search.agent !== undefined || (search.add && mayChange)) && (
          <AgentDrawer
            key={search.agent ?? ''}
            token={search.agent}
            isEditing={search.edit ?? false}
            mayChange={mayChange}
            onOpen={open}
          />
        )}
      </Suspense>
    </Stack>
  );
}

function AgentTable({ agents }: { agents: readonly Agent[] }) {
  return (
    <table className={`${plain['table']} ${classes['table']}`}>
      <thead>
        <tr>
          <th scope="col">Agent</th>
          <th scope="col">Type</th>
          <th scope="col">Operator</th>
          <th scope="col">Verified by</th>
          <th scope="col">In robots.txt</th>
          <th scope="col">Documentation</th>
        </tr>
      </thead>
      <tbody>
        {agents.map((agent) => (
          <tr key={agent.id}>
            <td>
              <TextLink
                from="/catalog"
                to="."
                search={(before) => ({ ...before, agent: agent.token, edit: undefined, add: undefined })}
                resetScroll={false}
                size="sm"
              >
                {agent.token}
              </TextLink>
              {agent.origin === 'own' && ' (own)'}
              {agent.is_edited && ' (changed)'}
            </td>
            <td data-label="Type">{agent.type}</td>
            <td data-label="Operator">{agent.operator}</td>
            <td data-label="Verified by">{methodsOf(agent).join(', ')}</td>
            <td data-label="In robots.txt">{agent.robots_token}</td>
            <td data-label="Documentation">
              {agent.url !== null && (
                <Anchor href={agent.url} rel="noreferrer" target="_blank" size="sm">
                  {URL.parse(agent.url)?.hostname ?? agent.url}
                  <span className="unseen"> about {agent.token}</span>
                </Anchor>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface FiltersProps {
  search: CatalogSearch;
  onChange: (change: Partial<CatalogSearch>) => void;
  firstField: RefObject<HTMLInputElement | null>;
}

function Filters({ search, onChange, firstField }: FiltersProps) {
  const { data: catalog } = useQuery(catalogQuery);
  const operators = useId();
  const all = { value: '', label: 'All' };
  const isFiltered = Object.keys(agentFilters(search)).length > 0;
  return (
    <Group gap="xs" align="end" role="search" aria-label="Agents">
      <TypedInput
        label="Search"
        placeholder="Name, operator, robots.txt token"
        size="xs"
        w={240}
        maw="100%"
        value={search.search ?? ''}
        onTyped={(text) => onChange({ search: text || undefined })}
        ref={firstField}
      />
      <NativeSelect
        label="Type"
        size="xs"
        value={search.type ?? ''}
        data={[all, ...AGENT_TYPES]}
        onChange={({ currentTarget }) =>
          onChange({ type: (currentTarget.value || undefined) as AgentType | undefined })
        }
      />
      <TypedInput
        label="Operator"
        size="xs"
        w={160}
        maw="100%"
        value={search.operator ?? ''}
        onTyped={(text) => onChange({ operator: text || undefined })}
        list={operators}
      />
      <datalist id={operators}>
        {catalog?.operators.map(({ operator }) => (
          <option key={operator} value={operator} />
        ))}
      </datalist>
      <NativeSelect
        label="Origin"
        size="xs"
        value={search.origin ?? ''}
        data={[all, { value: 'bundled', label: 'Came with the release' }, { value: 'own', label: 'Added here' }]}
        onChange={({ currentTarget }) =>
          onChange({ origin: (currentTarget.value || undefined) as CatalogSearch['origin'] })
        }
      />
      {isFiltered && (
        <Button size="xs" variant="subtle" onClick={() => onChange(NO_FILTERS)}>
          Clear
        </Button>
      )}
    </Group>
  );
}
