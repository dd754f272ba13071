import { Card, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { toolsQuery } from '../../api/tools.js';
import type { ChartSeries } from '../../charts/chart.js';
import { TimeChart } from '../../charts/time-chart.js';
import { linkedRange, type RangeSearch } from '../../range/range.js';
import { RangePage } from '../../range/range-page.js';
import { RangeSkeleton } from '../../range/range-skeleton.js';
import { useRangePage } from '../../range/use-range-page.js';
import { EmptyState } from '../../ui/empty-state.js';
import { TextLink } from '../../ui/text-link.js';
import { BuyersTable, CheckoutsTable } from './checkout-tables.js';
import { ErrorsTable } from './errors-table.js';
import { ItemsTable, MethodsTable, VersionsTable } from './request-tables.js';
import { CallersTable, ClientsTable, ToolsTable, UnknownToolsTable } from './tool-tables.js';

const route = getRouteApi('/app/projects/$projectId/tools');

const SERIES: readonly ChartSeries[] = [
  { key: 'errors', label: 'Failed', color: 'var(--bar-failed)' },
  { key: 'answered', label: 'Succeeded', color: 'var(--bar-verified)' },
];

export function ToolsPage() {
  const { project, projectId, search, shown, change, head } = useRangePage<RangeSearch>('Tools & commerce', route);
  const query = useQuery(toolsQuery(projectId, shown));
  return (
    <RangePage
      {...head}
      answer={query}
      errorTitle="Couldn't load tools and checkouts"
      skeleton={<RangeSkeleton head={0} />}
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
        return (
          <Stack>
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
                    times={{ bucket: report.bucket, projectZone: shown.projectZone, timeZone: shown.timeZone }}
                    range={report}
                    onNarrow={(range) => change({ ...range, range: undefined })}
                    isTable={search.table ?? false}
                    onTable={(isTable) => change({ table: isTable || undefined }, true)}
                  />
                </Card>
                <ToolsTable {...tables} />
                <ItemsTable {...tables} />
                <ErrorsTable {...tables} />
                <UnknownToolsTable {...tables} />
                <CallersTable {...tables} />
                <ClientsTable {...tables} />
                <VersionsTable {...tables} />
                <MethodsTable {...tables} />
              </>
            )}
            {hasCheckouts && (
              <>
                <CheckoutsTable {...tables} />
                <BuyersTable {...tables} />
              </>
            )}
          </Stack>
        );
      }}
    </RangePage>
  );
}
