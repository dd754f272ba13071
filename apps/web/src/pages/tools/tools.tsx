import { Card, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { toolsQuery } from '../../api/tools.js';
import type { ChartSeries } from '../../charts/chart.js';
import { TimeChart } from '../../charts/time-chart.js';
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
import { ITEM_KINDS } from './mcp-methods.js';
import type { ToolsSearch } from './search.js';
import { BuyersTable, CheckoutsTable } from './checkout-tables.js';
import { ErrorsTable } from './errors-table.js';
import { ItemsTable, MethodsTable, VersionsTable } from './request-tables.js';
import { CallersTable, ClientsTable, ToolsTable, UnknownToolsTable, type TablesProps } from './tool-tables.js';

const Payments = lazy(() => import('./payments.js'));

const route = getRouteApi('/app/projects/$projectId/tools');

const SERIES: readonly ChartSeries[] = [
  { key: 'errors', label: 'Failed', color: 'var(--bar-failed)' },
  { key: 'answered', label: 'Succeeded', color: 'var(--bar-verified)' },
];

export function ToolsPage() {
  const { project, projectId, search, shown, change, head } = useRangePage<ToolsSearch>('Tools & commerce', route);
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
        const payments = (
          <Suspense fallback={null}>
            <Payments project={project} range={report} linked={tables.linked} />
          </Suspense>
        );
        if (!hasCalls && !hasCheckouts) {
          return (
            <Stack>
              <EmptyState title="No tool calls or checkouts in this range">
                MCP calls and ACP or UCP checkouts appear here once your site reports them with its visits. An access
                log is enough for MCP calls if it contains the Mcp-Method, Mcp-Name and MCP-Protocol-Version headers.{' '}
                <TextLink to="/projects/$projectId/get-started" params={{ projectId }}>
                  Learn how to report visits
                </TextLink>
              </EmptyState>
              {payments}
            </Stack>
          );
        }
        return (
          <Stack>
            <ToolsAnswer project={project} report={report} linked={tables.linked} when={describeRange(search)} />
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
                <RequestTabs {...tables} />
              </>
            )}
            {hasCheckouts && (
              <TabbedCard
                label="Checkouts"
                param="checkouts"
                tabs={[
                  { key: 'agents', label: 'Checkouts by agent', content: <BuyersTable {...tables} /> },
                  { key: 'states', label: 'By state', content: <CheckoutsTable {...tables} /> },
                ]}
              />
            )}
            {payments}
          </Stack>
        );
      }}
    </RangePage>
  );
}

/** Cards with the MCP requests by name, and by who sent them. */
function RequestTabs(tables: TablesProps) {
  const { tools, errors, unknown_tools: unknownTools, requests } = tables.report;
  const itemCount = requests.filter(({ method }) => Object.hasOwn(ITEM_KINDS, method)).length;
  const tabs: readonly (CardTab | false)[] = [
    { key: 'tools', label: 'Tools', count: formatCount(tools.length), content: <ToolsTable {...tables} /> },
    errors.length > 0 && {
      key: 'errors',
      label: 'Errors',
      count: formatCount(errors.length),
      content: <ErrorsTable {...tables} />,
    },
    unknownTools.length > 0 && {
      key: 'unknown',
      label: 'Unknown tools',
      count: formatCount(unknownTools.length),
      content: <UnknownToolsTable {...tables} />,
    },
    itemCount > 0 && {
      key: 'items',
      label: 'Resources and prompts',
      count: formatCount(itemCount),
      content: <ItemsTable {...tables} />,
    },
    requests.length > itemCount && { key: 'methods', label: 'Other methods', content: <MethodsTable {...tables} /> },
  ];
  return (
    <>
      <TabbedCard label="MCP requests" param="tab" tabs={tabs.filter((tab): tab is CardTab => tab !== false)} />
      <TabbedCard
        label="Who called"
        param="who"
        tabs={[
          { key: 'callers', label: 'Callers', content: <CallersTable {...tables} /> },
          { key: 'clients', label: 'Clients', content: <ClientsTable {...tables} /> },
          { key: 'versions', label: 'Protocol versions', content: <VersionsTable {...tables} /> },
        ]}
      />
    </>
  );
}
