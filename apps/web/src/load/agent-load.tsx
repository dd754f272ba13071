import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { getLoadCost } from '#libs/contracts/load-cost';
import type { Project } from '../api/client.js';
import { loadQuery } from '../api/load.js';
import type { Range, VisitingAgent } from '../api/statistics.js';
import { formatBytes } from '../format/bytes.js';
import { formatPercent } from '../format/change.js';
import { formatCount, formatVisitCount } from '../format/count.js';
import { formatDuration } from '../format/duration.js';
import { formatAmount } from '../format/money.js';
import { agentFilter, listLink, rangeSearch } from '../range/list-link.js';
import type { LinkedRange } from '../range/range.js';
import { Columns } from '../ui/columns.js';
import { Failure } from '../ui/failure.js';
import { Stat } from '../ui/stat.js';
import { TextLink } from '../ui/text-link.js';
import { formatCoverage } from './load-text.js';
import { PeopleSentCount, usePeopleSent } from './people-sent.js';
import { PriceNotes } from './price-notes.js';
import { toPeakRange } from './shares.js';

interface AgentLoadProps {
  project: Project;
  agent: Pick<VisitingAgent, 'agent_id' | 'agent_token' | 'operator_name'>;
  range: Range;
  /** Time range for the links. */
  linked: LinkedRange;
  /** Number of visits in the range that failed verification. */
  failed: number;
}

const CONTENT_HEIGHT_PX = 120;

/** Load that an agent caused, what it cost, and the people that its operator sent. */
export function AgentLoad({ project, agent, range, linked, failed }: AgentLoadProps) {
  const filter = agentFilter(agent);
  const { data: report, error, refetch } = useQuery(loadQuery(project.id, range, { by: 'agent', agent: [filter] }));
  const { data: failedReport } = useQuery({
    ...loadQuery(project.id, range, { by: 'agent', agent: [filter], result: ['verification_failed'] }),
    enabled: failed > 0,
  });
  const { sent: people } = usePeopleSent(project.id, range);
  if (error !== null) return <Failure error={error} title="Couldn’t load the cost" retry={() => void refetch()} />;
  if (report === undefined) return <Skeleton h={CONTENT_HEIGHT_PX} animate={false} />;
  if (report.total.requests === 0) return <Text size="sm">No sizes or durations were reported for these visits.</Text>;
  const { total, sample } = report;
  const { requests } = total;
  const mark = (text: string): string => (sample === null ? text : `≈ ${text}`);
  const cost = getLoadCost(total, project);
  const failedCost = failedReport === undefined ? null : getLoadCost(failedReport.total, project);
  const { operator_name: operator } = agent;
  return (
    <Stack gap="sm">
      <Columns cols={{ base: 2, xs: 3, lg: 6 }}>
        {cost !== null && <Stat label="Cost" value={mark(formatAmount(cost, project.currency))} />}
        {operator !== null && people?.has(operator) && (
          <Stat
            label={`People sent by ${operator}`}
            value={<PeopleSentCount project={project} operator={operator} sent={people} linked={linked} />}
          />
        )}
        <Measured label="Data sent" value={total.bytes} by={total.bytes_requests} of={requests}>
          {(bytes) => mark(formatBytes(bytes))}
        </Measured>
        <Measured label="Server time" value={total.server_time_ms} by={total.timed_requests} of={requests}>
          {(time) => mark(formatDuration(time))}
        </Measured>
        {total.p95_ms !== null && <Stat label="95% of responses within" value={formatDuration(total.p95_ms)} />}
        {total.peak !== null && (
          <Stat
            label="Peak in 10 s"
            value={
              <TextLink {...listLink(project.id, toPeakRange(total.peak.time))({ agent: filter })} c="inherit">
                {formatCount(total.peak.requests)}
                <span className="unseen"> requests at the peak</span>
              </TextLink>
            }
          />
        )}
      </Columns>
      {failed > 0 && (
        <Text size="sm">
          {cost !== null && failedCost !== null && cost > 0
            ? `${formatPercent(failedCost / cost)} of the cost (${mark(formatAmount(failedCost, project.currency))}) is from `
            : 'Includes '}
          <TextLink
            {...listLink(project.id, linked)({ agent: filter, result: 'verification_failed' })}
            c="var(--failed)"
            inherit
          >
            {formatVisitCount(failed)} that failed verification
          </TextLink>
          .
        </Text>
      )}
      <Group gap="md">
        <TextLink
          to="/projects/$projectId/load"
          params={{ projectId: project.id }}
          search={{ ...rangeSearch(linked), agent: filter, by: 'page' }}
          size="sm"
        >
          Show load by page
        </TextLink>
        <PriceNotes project={project} load={total} />
      </Group>
    </Stack>
  );
}

interface MeasuredProps {
  label: string;
  value: number | null;
  /** Number of requests that reported the value, out of all requests. */
  by: number;
  of: number;
  children: (value: number) => ReactNode;
}

/** A sum that not all requests may have reported. */
function Measured({ label, value, by, of, children }: MeasuredProps) {
  const coverage = formatCoverage(by, of);
  return (
    <div>
      <Stat label={label} value={value === null ? 'Not reported' : children(value)} />
      {coverage !== null && (
        <Text size="xs" c="dimmed">
          {coverage}
        </Text>
      )}
    </div>
  );
}
