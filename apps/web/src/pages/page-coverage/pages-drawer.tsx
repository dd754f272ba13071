import { Loader, NativeSelect, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { Project } from '../../api/client.js';
import { coveredPagesQuery, type CoverageAgent, type CoveredPage } from '../../api/coverage.js';
import { toFilters } from '../../filters/visit-filters.js';
import { formatCount } from '../../format/count.js';
import { getPatternFilters } from '../../load/pattern-filters.js';
import { agentFilter, listLink } from '../../range/list-link.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Failure } from '../../ui/failure.js';
import { SideDrawer } from '../../ui/side-drawer.js';
import { TextLink } from '../../ui/text-link.js';
import type { PagesFilter } from './search.js';

interface PagesDrawerProps {
  project: Pick<Project, 'id' | 'path_patterns'>;
  filter: PagesFilter;
  agents: readonly CoverageAgent[];
  onChange: (filter: PagesFilter) => void;
  onClose: () => void;
}

const STATES: { value: NonNullable<PagesFilter['state']> | ''; label: string }[] = [
  { value: '', label: 'All pages in sitemaps' },
  { value: 'fetched', label: 'Fetched' },
  { value: 'never_fetched', label: 'Never fetched' },
  { value: 'unlisted', label: 'Fetched, but not in a sitemap' },
];

/** Lists pages with links to their visits. */
export default function PagesDrawer({ project, filter, agents, onChange, onClose }: PagesDrawerProps) {
  const { id: projectId, path_patterns: patterns } = project;
  const { pattern, ...filters } = filter;
  const { path, not_path } = pattern === undefined ? {} : getPatternFilters(pattern, {}, patterns);
  const query = useInfiniteQuery(coveredPagesQuery(projectId, { ...filters, path, not_path }));
  const group = filter.folder ?? patterns.find((named) => named.pattern === pattern)?.name ?? pattern;
  const pages = query.data?.pages.flatMap((part) => part.pages) ?? [];
  const agent = agents.find(({ agent_id: id }) => id === filter.agent);
  const columns: readonly TableColumn<CoveredPage>[] = [
    {
      key: 'page',
      label: 'Page',
      isHead: true,
      value: ({ page }) => page,
      cell: ({ page }) => (page === '' ? 'All other pages' : page),
      style: { overflowWrap: 'anywhere' },
    },
    {
      key: 'fetches',
      label: 'Requests',
      isNumber: true,
      value: ({ fetches }) => fetches,
      // Links require the agent, which is in the report.
      cell: (page) =>
        filter.agent !== undefined && agent === undefined ? (
          formatCount(page.fetches)
        ) : (
          <VisitsLink projectId={projectId} page={page} agent={agent} />
        ),
    },
    { key: 'last', label: 'Last fetch', isTime: true, value: (page) => page.last_fetch_at },
    { key: 'first', label: 'First fetch', isTime: true, isOnlyExported: true, value: (page) => page.first_fetch_at },
    { key: 'seen', label: 'First in sitemap', isTime: true, value: (page) => page.first_seen_at },
    {
      key: 'repeats',
      label: 'Repeats on same day',
      isNumber: true,
      value: ({ repeats }) => repeats,
      cell: ({ repeats }) => (repeats === null ? '–' : formatCount(repeats)),
    },
    { key: 'redirects', label: 'Redirects', isNumber: true, value: ({ redirects }) => redirects },
    { key: 'errors', label: '4xx, 5xx', isNumber: true, value: (page) => page.client_errors + page.server_errors },
  ];
  return (
    <SideDrawer title={group === undefined ? 'Pages' : `Pages in ${group}`} onClose={onClose}>
      <Stack gap="sm">
        <NativeSelect
          label="Agent"
          value={filter.agent ?? ''}
          data={[
            { value: '', label: 'All agents' },
            ...agents.flatMap(({ agent_id: id, agent_token: token }) =>
              id === null ? [] : [{ value: id, label: token ?? 'Unknown agent' }],
            ),
          ]}
          onChange={({ currentTarget: { value } }) => onChange({ ...filter, agent: value || undefined })}
        />
        <NativeSelect
          label="Show"
          value={filter.state ?? ''}
          data={STATES}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...filter, state: STATES.find((state) => state.value === value)?.value || undefined })
          }
        />
        {query.isPending && <Loader size="sm" />}
        {query.isError && <Failure title="Couldn't load the pages" error={query.error} />}
        {query.isSuccess && (
          <DataTable
            label="Pages"
            columns={columns}
            rows={pages}
            rowKey={({ page }) => page}
            more={query}
            empty={<Text size="sm">No pages match the filters.</Text>}
          />
        )}
      </Stack>
    </SideDrawer>
  );
}

interface VisitsLinkProps {
  projectId: string;
  page: CoveredPage;
  agent: CoverageAgent | undefined;
}

function VisitsLink({ projectId, page, agent }: VisitsLinkProps) {
  const { fetches, first_fetch_at: from, last_fetch_at: last } = page;
  if (from === null || last === null || page.page === '') return formatCount(fetches);
  const to = new Date(Date.parse(last) + 1).toISOString();
  const filters = toFilters({
    page: [page.page],
    // Like the counts, exclude visits that failed verification, and people.
    not_result: ['verification_failed', 'unknown_agent'],
    ...(agent?.agent_id != null && { agent: [agentFilter({ ...agent, agent_id: agent.agent_id })] }),
  });
  return (
    <TextLink {...listLink(projectId, { from, to })(filters)} c="inherit">
      {formatCount(fetches)}
      <span className="unseen">, visits to {page.page}</span>
    </TextLink>
  );
}
