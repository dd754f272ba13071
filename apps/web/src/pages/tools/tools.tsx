import { Card, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { toolsQuery } from '../../api/tools.js';
import type { ChartSeries } from '../../charts/chart.js';
import { TimeChart } from '../../charts/time-chart.js';
import { describeComparison, toComparedRange } from '../../range/comparison.js';
import { linkedRange } from '../../range/range.js';
import { RangePage } from '../../range/range-page.js';
import { RangeSkeleton } from '../../range/range-skeleton.js';
import { useRangePage } from '../../range/use-range-page.js';
import { describeRange } from '../../range/describe-range.js';
import { TabbedCard, type CardTab } from '../../ui/tabbed-card.js';
import { formatCount } from '../../format/count.js';
import { EmptyState } from '../../ui/empty-state.js';
import { TextLink } from '../../ui/text-link.js';
import { ToolsAnswer } from './answer.js';
import type { ToolsSearch } from './search.js';
import { CallersTable, countCallers } from './callers-table.js';
import { Checkouts } from './checkouts.js';
import { ErrorsTable } from './errors-table.js';
import { ToolFigures } from './figures.js';
import { RequestsTable, VersionsTable } from './request-tables.js';
import { ToolsTable, type TablesProps } from './tool-tables.js';

const route = getRouteApi('/app/projects/$projectId/tools');

const SERIES: readonly ChartSeries[] = [
  { key: 'errors', label: 'Failed', color: 'var(--bar-failed)' },
  { key: 'answered', label: 'Succeeded', color: 'var(--bar-verified)' },
];

export function ToolsPage() {
  const { project, projectId, search, shown, change, head } = useRangePage<ToolsSearch>('Tools', route);
  const query = useQuery(toolsQuery(projectId, shown));
  const compared = toComparedRange(shown);
  const { data: previous, isPending } = useQuery({
    ...toolsQuery(projectId, compared ?? shown),
    enabled: compared !== null,
  });
  return (
    <RangePage
      {...head}
      // Waits for the comparison, so that the page loads in its final shape.
      answer={{ ...query, data: compared !== null && isPending ? undefined : query.data }}
      isCompared
      errorTitle="Couldn't load tools and checkouts"
      skeleton={<RangeSkeleton head={{ base: 440, sm: 245 }} />}
    >
      {(report) => {
        const tables = { project, report, range: report, linked: linkedRange(search, report) };
        const hasCalls = report.series.some(({ calls }) => calls > 0) || report.versions.length > 0;
        const hasCheckouts = report.checkouts.length > 0;
        if (!hasCalls && !hasCheckouts) {
          return (
            <EmptyState title="No tool calls or checkouts in this range">
              MCP calls and ACP or UCP checkouts appear here once your site reports them with its visits. An access log
              is enough for MCP calls if it contains the Mcp-Method, Mcp-Name and MCP-Protocol-Version headers.{' '}
              <TextLink to="/projects/$projectId/get-started" params={{ projectId }}>
                Learn how to report visits
              </TextLink>
            </EmptyState>
          );
        }
        const times = { bucket: report.bucket, projectZone: shown.projectZone, timeZone: shown.timeZone };
        return (
          <Stack>
            <ToolsAnswer {...{ project, report, times }} linked={tables.linked} when={describeRange(search)} />
            <ToolFigures
              report={report}
              previous={compared === null ? undefined : previous}
              before={describeComparison(search, shown.timeZone)}
            />
            {hasCalls && (
              <>
                <Card withBorder>
                  <TimeChart
                    title="Tool calls"
                    series={SERIES}
                    items={report.series.map(({ time, calls, errors }) => ({
                      time,
                      values: { errors, answered: calls - errors },
                    }))}
                    times={times}
                    range={report}
                    onNarrow={(range) => change({ ...range, range: undefined })}
                    isTable={search.table ?? false}
                    onTable={(isTable) => change({ table: isTable || undefined }, true)}
                  />
                </Card>
                <RequestTabs {...tables} />
              </>
            )}
            <Checkouts {...tables} />
          </Stack>
        );
      }}
    </RangePage>
  );
}

/** Card with the MCP requests by tool, error, caller, method and protocol version. */
function RequestTabs(tables: TablesProps) {
  const { tools, errors, callers, requests, unknown_tools: unknownTools } = tables.report;
  const tabs: readonly CardTab[] = [
    {
      key: 'tools',
      label: 'Tools',
      count: formatCount(tools.length + unknownTools.length),
      content: <ToolsTable {...tables} />,
    },
    { key: 'errors', label: 'Errors', count: formatCount(errors.length), content: <ErrorsTable {...tables} /> },
    {
      key: 'callers',
      label: 'Callers',
      content: <CallersTable {...tables} />,
      count: formatCount(countCallers(callers)),
    },
    {
      key: 'requests',
      label: 'Other requests',
      count: formatCount(requests.length),
      content: <RequestsTable {...tables} />,
    },
    { key: 'versions', label: 'Protocol versions', content: <VersionsTable {...tables} /> },
  ];
  return <TabbedCard label="MCP requests" param="tab" tabs={tabs} />;
}
