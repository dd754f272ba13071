import { useQuery } from '@tanstack/react-query';
import { loadQuery } from '../../api/load.js';
import { RowsSkeleton } from '../../ui/card-skeleton.js';
import { DataTable } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Failure } from '../../ui/failure.js';
import { Lead } from '../../ui/lead.js';
import { TabbedCard } from '../../ui/tabbed-card.js';
import { TextLink } from '../../ui/text-link.js';
import { getColumns } from './load-columns.js';
import type { LoadTableProps } from './load-table-props.js';
import { TAB_LABELS } from './rows.js';
import { LOAD_TABS, PAGE_SIZE } from './search.js';

/** Card with the load by agent, operator, type, folder, page and path pattern. */
export default function LoadTabs(props: LoadTableProps) {
  return (
    <TabbedCard
      label="Breakdown"
      param="by"
      tabs={LOAD_TABS.map((tab) => ({
        key: tab,
        label: TAB_LABELS[tab].tab,
        content: <LoadTable {...props} by={tab} />,
      }))}
    />
  );
}

/** Table of the load by agent, operator, type, folder or page. */
function LoadTable(props: LoadTableProps) {
  const { by, project, shown, counted, measure } = props;
  const {
    data: report,
    error,
    refetch,
    isPlaceholderData,
  } = useQuery(loadQuery(project.id, shown, { by, ...(counted as object) }));
  if (by === 'pattern' && project.path_patterns.length === 0) return <NoPatterns projectId={project.id} />;
  if (error !== null) return <Failure error={error} title="Couldn't load the table" retry={() => void refetch()} />;
  if (report === undefined) return <RowsSkeleton rows={PAGE_SIZE} />;
  return (
    <DataTable
      key={measure}
      label={TAB_LABELS[by].tab}
      page={`load by ${by}`}
      columns={getColumns(props, report)}
      rows={report.rows}
      rowKey={({ value }) => value ?? 'unknown visitors'}
      initial={measure}
      pageSize={PAGE_SIZE}
      toolbar={<Lead help={<Definitions />}>Visits by agents, including those that failed verification.</Lead>}
      phone={[
        `name ${measure}`,
        measure === 'requests' ? 'bytes share' : 'requests share',
        measure === 'time' ? 'bytes p95' : 'time p95',
      ]}
      owner={project.name}
      range={report}
      isBusy={isPlaceholderData}
      empty="No visits in this range match the filters."
    />
  );
}

const NoPatterns = ({ projectId }: { projectId: string }) => (
  <EmptyState title="No path patterns">
    Path patterns such as /docs/* stand for parts of your site.{' '}
    <TextLink to="/projects/$projectId/settings" params={{ projectId }} hash="path-patterns" inherit>
      Add them in the settings
    </TextLink>
    .
  </EmptyState>
);

const Definitions = () => (
  <>
    Data sent is the sum of the response sizes (1 GB is 1,000,000,000 bytes), and server time that of the response
    times. “95% within” is the time in which 95% of responses finished, and “Peak in 10 s” the most requests in 10
    seconds. “Repeated” requests are for a path that the agent had already requested on the same day. “Unchanged”
    responses have no body, because the agent already had the current version (status 304). “From cache” responses came
    from a cache, such as a CDN. People sent followed a link in one of the operator’s assistants. Their number doesn’t
    depend on the filters.
  </>
);
