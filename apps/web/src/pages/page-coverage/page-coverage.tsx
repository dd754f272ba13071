import { Alert, Skeleton, Stack, Text } from '@mantine/core';
import { keepPreviousData, usePrefetchQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { CRAWL_PURPOSES } from '#libs/agents/vocabulary';
import { coverageQuery, sitemapsQuery, type Coverage, type CoverageGrouping } from '../../api/coverage.js';
import { projectQuery, summariesQuery } from '../../api/queries.js';
import { formatCount } from '../../format/count.js';
import { CardSkeleton } from '../../ui/card-skeleton.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Failure } from '../../ui/failure.js';
import { SmallSelect } from '../../ui/small-select.js';
import { TabbedCard } from '../../ui/tabbed-card.js';
import { PageHeader } from '../../ui/page-header.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { AgentCoverageTable } from './agent-coverage-table.js';
import { CoverageAnswer, PurposeFigures } from './answer.js';
import { FolderTable } from './folder-table.js';
import type { CoverageSearch, PagesFilter } from './search.js';
import { NoSitemaps, SitemapsSection } from './sitemaps-section.js';

const PagesDrawer = lazy(() => import('./pages-drawer.js'));
const route = getRouteApi('/app/projects/$projectId/coverage');

/** Shows which pages of the site's sitemaps agents have fetched. */
export function PageCoverage() {
  const { projectId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  usePageTitle('Coverage', project.name);
  // Sends the request together with the report's, whose response takes longer.
  usePrefetchQuery(sitemapsQuery(projectId));
  const query = useQuery({
    ...coverageQuery(projectId, search.tab === 'patterns' ? 'pattern' : undefined),
    placeholderData: keepPreviousData,
  });
  const { data: summaries } = useQuery({ ...summariesQuery, refetchInterval: false });
  const firstVisitAt = summaries?.find(({ project_id: id }) => id === projectId)?.first_visit_at ?? null;
  const { purpose, tab, ...filter } = search;
  const view = { ...(purpose && { purpose }), ...(tab && { tab }) };
  const isOpen = Object.keys(filter).length > 0;
  const open = (next: PagesFilter): void => {
    const given = Object.entries(next).filter(([, value]) => value !== undefined);
    void navigate({ search: { ...view, ...Object.fromEntries(given) }, replace: isOpen });
  };
  const coverage = query.data;
  const agents = coverage?.agents.filter((agent) => purpose === undefined || agent.purpose === purpose) ?? [];
  const renderFolders = (by: CoverageGrouping, shown: Coverage) =>
    agents.length === 0 ? (
      <NoFetches purpose={purpose} />
    ) : (
      <FolderTable by={by} project={project} coverage={shown} agents={agents} onOpen={open} />
    );
  return (
    <Stack>
      <PageHeader
        title="Coverage"
        actions={
          <SmallSelect
            aria-label="Purpose"
            value={purpose ?? ''}
            options={[
              { value: '', label: 'All purposes' },
              ...Object.entries(CRAWL_PURPOSES).map(([value, { label }]) => ({ value, label })),
              { value: 'other', label: 'Other' },
            ]}
            onChange={(value) =>
              void navigate({
                search: {
                  ...(tab && { tab }),
                  ...(value !== '' && { purpose: value as CoverageSearch['purpose'] }),
                },
                replace: true,
              })
            }
          />
        }
      />
      {query.isPending && (
        <>
          <Skeleton h={{ base: 425, sm: 215 }} radius="md" animate={false} />
          <CardSkeleton rows={8} />
        </>
      )}
      {query.isError && (
        <Failure title="Couldn't load the coverage" error={query.error} retry={() => void query.refetch()} />
      )}
      {coverage !== undefined && coverage.pages === 0 && <NoSitemaps project={project} />}
      {coverage !== undefined && coverage.pages > 0 && (
        <>
          <CoverageAnswer projectId={projectId} coverage={coverage} onOpen={open} />
          {coverage.purposes.length > 0 && <PurposeFigures coverage={coverage} firstVisitAt={firstVisitAt} />}
          <MissingData coverage={coverage} />
          {coverage.counted_at === null && <CardSkeleton rows={10} />}
        </>
      )}
      {coverage !== undefined && coverage.pages > 0 && coverage.counted_at !== null && (
        <TabbedCard
          label="Pages by agent"
          param="tab"
          tabs={[
            { key: 'folders', label: 'Folders', content: renderFolders('folder', coverage) },
            {
              key: 'agents',
              label: 'Agents',
              content:
                agents.length === 0 ? (
                  <NoFetches purpose={purpose} />
                ) : (
                  <AgentCoverageTable owner={project.name} coverage={coverage} agents={agents} onOpen={open} />
                ),
            },
            ...(project.path_patterns.length > 0 || tab === 'patterns'
              ? [{ key: 'patterns', label: 'Path patterns', content: renderFolders('pattern', coverage) }]
              : []),
          ]}
        />
      )}
      {coverage !== undefined && coverage.pages > 0 && <SitemapsSection project={project} />}
      <Suspense>
        {isOpen && (
          <PagesDrawer
            project={project}
            filter={filter}
            agents={coverage?.agents ?? []}
            onChange={open}
            onClose={() => void navigate({ search: view })}
          />
        )}
      </Suspense>
    </Stack>
  );
}

const NoFetches = ({ purpose }: Pick<CoverageSearch, 'purpose'>) => (
  <EmptyState title="No fetches">
    {purpose === undefined
      ? 'Pages appear here once an agent has fetched one.'
      : 'No agent with this purpose has fetched a page. Select “All purposes” to see the others.'}
  </EmptyState>
);

/** Describes times for which it's unknown whether agents fetched pages. */
function MissingData({ coverage }: { coverage: Coverage }) {
  const { days_without_data: days, pages_without_data: pages, last_visit_at: last } = coverage;
  if (days.length === 0 && pages === 0 && last !== null) return null;
  return (
    <Alert variant="outline" color="gray" title="Missing data">
      {last === null && <Text size="sm">The project has no visits yet, so it’s unknown which pages were fetched.</Text>}
      {pages > 0 && (
        <Text size="sm">
          {pages === 1 ? '1 page was' : `${formatCount(pages)} pages were`} added to the sitemaps after the last visit.
          It’s too early to call {pages === 1 ? 'it' : 'them'} never fetched.
        </Text>
      )}
      {days.length > 0 && (
        <Text size="sm">
          No visits were reported on {formatCount(days.length)} of the last 30 days ({days.slice(0, 5).join(', ')}
          {days.length > 5 && ' and others'}). Agents may have fetched pages on these days.
        </Text>
      )}
    </Alert>
  );
}
