import { Anchor, Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense, useId, useMemo, useState, type RefObject } from 'react';
import { AGENT_BEHAVIOR_NAMES, AGENT_BEHAVIORS, METHODS, type AgentBehavior } from '#libs/agents/vocabulary';
import { catalogQuery, seenAgentsQuery, type AgentType, type SeenAgent } from '../../api/catalog-queries.js';
import { agentFeedsQuery } from '../../api/feed-queries.js';
import { SEEN_DAYS } from '../../api/constants.js';
import { sessionQuery } from '../../api/queries.js';
import { toFilters } from '../../filters/visit-filters.js';
import { formatCount } from '../../format/count.js';
import { agentFilter, listLink } from '../../range/list-link.js';
import { MarkedName } from '../../ui/agent-mark.js';
import { Answer } from '../../ui/answer.js';
import { AnswerSkeleton } from '../../ui/answer-skeleton.js';
import { CardSkeleton } from '../../ui/card-skeleton.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Failure } from '../../ui/failure.js';
import { Icon } from '../../ui/icon.js';
import { PageHeader } from '../../ui/page-header.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { useSlashKey } from '../../ui/use-slash-key.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { TextLink } from '../../ui/text-link.js';
import { DebouncedInput } from '../../ui/debounced-input.js';
import { AGENT_TYPES } from '../../ui/agent-types.js';
import { describeOrigin } from '../../ui/origin.js';
import classes from './catalog.module.css';
import { isFiltered, filterAgents, SEEN_RANGE, type CatalogSearch } from './search.js';
import { TryUserAgent } from './try-user-agent.js';

const AgentDrawer = lazy(() => import('./agent-drawer.js'));
const route = getRouteApi('/app/catalog');
const PAGE_SIZE = 50;

const COLUMNS: readonly TableColumn<SeenAgent>[] = [
  {
    key: 'agent',
    label: 'Agent',
    isHead: true,
    value: (agent) => agent.agent_token,
    cell: (agent) => (
      <MarkedName name={agent.agent_token} operator={agent.operator_name}>
        <TextLink
          from="/catalog"
          to="."
          search={(before) => ({ ...before, agent: agent.agent_token, edit: undefined, add: undefined })}
          resetScroll={false}
          size="sm"
        >
          {agent.agent_token}
        </TextLink>
      </MarkedName>
    ),
  },
  {
    key: 'seen',
    label: `Visits, ${SEEN_DAYS} days`,
    style: { whiteSpace: 'nowrap' },
    isNumber: true,
    narrow: { after: 'visits' },
    value: ({ visits }) => visits,
    cell: (agent) => {
      const [project, ...others] = agent.projects;
      if (project === undefined) return <span className="zero">–</span>;
      // A list shows the visits to one project, so the drawer links to each of several projects.
      if (others.length > 0) return formatCount(agent.visits);
      return (
        <TextLink
          {...listLink(project.project_id, SEEN_RANGE)(toFilters({ agent: [agentFilter(agent)] }))}
          inherit
          aria-label={`${formatCount(agent.visits)} visits by ${agent.agent_token}`}
        >
          {formatCount(agent.visits)}
        </TextLink>
      );
    },
  },
  { key: 'type', label: 'Type', narrow: { isSoft: true }, value: (agent) => agent.agent_type_name },
  { key: 'operator', label: 'Operator', narrow: { isSoft: true }, value: (agent) => agent.operator_name },
  {
    key: 'verified',
    label: 'Verified by',
    value: ({ methods }) => methods.map((method) => METHODS[method]).join(', '),
  },
  { key: 'robots', label: 'In robots.txt', value: (agent) => agent.robots_token },
  {
    key: 'origin',
    label: 'Origin',
    value: describeOrigin,
    cell: (agent) => (
      <>
        {describeOrigin(agent)}
        {(agent.origin !== 'bundled' || agent.is_edited) && (
          <Text c="dimmed" size="xs">
            <RelativeTime time={agent.changed_at} />
          </Text>
        )}
      </>
    ),
  },
  { key: 'since', label: 'Last changed', isTime: true, isOnlyExported: true, value: ({ changed_at: at }) => at },
  {
    key: 'documentation',
    label: 'Documentation',
    value: (agent) => agent.agent_url,
    cell: ({ agent_token: token, agent_url: url }) =>
      url !== null && (
        <Anchor href={url} rel="noreferrer" target="_blank" size="sm">
          {URL.parse(url)?.hostname ?? url}
          <span className="unseen"> about {token}</span>
        </Anchor>
      ),
  },
];
const CLOSED_DRAWER = {
  agent: undefined,
  edit: undefined,
  add: undefined,
  group: undefined,
  project: undefined,
};
const NO_FILTERS = { search: undefined, type: undefined, behavior: undefined, operator: undefined, origin: undefined };

export function Catalog() {
  usePageTitle('Catalog');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const session = useQuery(sessionQuery);
  const canEdit = session.data?.user?.is_admin ?? false;
  const result = useQuery(seenAgentsQuery);
  const agents = useMemo(() => filterAgents(result.data?.agents ?? [], search), [result.data, search]);
  const hasOrigins = result.data?.agents.some((agent) => agent.origin !== 'bundled' || agent.is_edited) ?? false;
  const [isTrying, setTrying] = useState(search.try !== undefined);
  const firstField = useSlashKey();
  const filter = (to: Partial<CatalogSearch>): void =>
    void navigate({ search: (before) => ({ ...before, ...to }), replace: true, resetScroll: false });
  const open = (to: Partial<CatalogSearch>): void =>
    void navigate({
      search: (before) => ({ ...before, ...CLOSED_DRAWER, ...to }),
      resetScroll: false,
    });
  return (
    <Stack>
      <PageHeader
        title="Catalog"
        actions={
          <>
            <Button size="xs" variant="default" aria-expanded={isTrying} onClick={() => setTrying(!isTrying)}>
              Test a User-Agent
            </Button>
            {canEdit && <FeedsLink />}
            {canEdit && (
              <Button size="xs" leftSection={<Icon name="plus" size={14} />} onClick={() => open({ add: true })}>
                Add agent
              </Button>
            )}
          </>
        }
      />
      {result.data === undefined ? <AnswerSkeleton /> : <CatalogAnswer {...result.data} />}
      {isTrying && (
        <TryUserAgent userAgent={search.try ?? ''} onChange={(text) => filter({ try: text || undefined })} />
      )}
      {result.isPending && <CardSkeleton rows={12} hasTitle={false} />}
      {result.isError && (
        <Failure error={result.error} title="Couldn't load the agents" retry={() => void result.refetch()} />
      )}
      {/* Agents without visits remain sorted by name. */}
      {result.data && (
        <DataTable
          label="Catalog"
          phone={['agent seen', 'type operator']}
          columns={hasOrigins ? COLUMNS : COLUMNS.filter(({ key }) => key !== 'origin')}
          rows={agents}
          rowKey={(agent) => agent.agent_id}
          initial="seen"
          pageSize={PAGE_SIZE}
          className={classes['table']}
          toolbar={<Filters search={search} onChange={filter} firstField={firstField} />}
          empty={
            <EmptyState title={isFiltered(search) ? 'No agents match the filters' : 'No agents'}>
              {isFiltered(search) && 'Change or clear the filters above.'}
            </EmptyState>
          }
        />
      )}
      <Suspense>
        {(search.agent !== undefined || (search.add && canEdit)) && (
          <AgentDrawer
            key={search.agent ?? ''}
            token={search.agent}
            group={search.group}
            projectId={search.project}
            isEditing={search.edit ?? false}
            mayChange={canEdit}
            onOpen={open}
          />
        )}
      </Suspense>
    </Stack>
  );
}

/** Counts the agents that visited this instance's sites. */
function CatalogAnswer({ agents }: { agents: readonly SeenAgent[] }) {
  const seen = agents.filter(({ visits }) => visits > 0).length;
  const verifiable = agents.filter(({ visits, methods }) => visits > 0 && methods.length > 0).length;
  return (
    <Answer notes={seen > 0 && <p>{formatCount(verifiable)} of them can be verified.</p>}>
      {seen === 0 ? 'None' : formatCount(seen)} of the {formatCount(agents.length)} known agents visited your sites in
      the last {SEEN_DAYS} days.
    </Answer>
  );
}

function FeedsLink() {
  const { data: result } = useQuery(agentFeedsQuery);
  const proposed = result?.feeds.reduce((sum, { counts }) => sum + counts.proposed, 0) ?? 0;
  return (
    <Button size="xs" variant="default" renderRoot={(props) => <Link to="/catalog/feeds" {...props} />}>
      {proposed === 0 ? 'Feeds' : `Feeds: ${formatCount(proposed)} proposed`}
    </Button>
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
  return (
    <Group gap="xs" align="end" role="search" aria-label="Agents" className={classes['filters'] ?? ''}>
      <DebouncedInput
        label="Search"
        placeholder="Name, operator, robots.txt token"
        size="xs"
        w={{ base: '100%', sm: 240 }}
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
      <NativeSelect
        label="Behavior"
        size="xs"
        value={search.behavior ?? ''}
        data={[all, ...AGENT_BEHAVIORS.map((value) => ({ value, label: AGENT_BEHAVIOR_NAMES[value] }))]}
        onChange={({ currentTarget }) =>
          onChange({ behavior: (currentTarget.value || undefined) as AgentBehavior | undefined })
        }
      />
      <DebouncedInput
        label="Operator"
        placeholder="All"
        size="xs"
        w={{ base: '100%', sm: 160 }}
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
        data={[
          all,
          { value: 'bundled', label: 'Bundled with the release' },
          { value: 'feed', label: 'Accepted from a feed' },
          { value: 'own', label: 'Added here' },
        ]}
        onChange={({ currentTarget }) =>
          onChange({ origin: (currentTarget.value || undefined) as CatalogSearch['origin'] })
        }
      />
      {isFiltered(search) && (
        <Button size="xs" variant="subtle" onClick={() => onChange(NO_FILTERS)}>
          Clear filters
        </Button>
      )}
    </Group>
  );
}
