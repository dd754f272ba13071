import { Card, Stack } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { projectQuery } from '../../api/queries.js';
import { agentQuery } from '../../api/statistics.js';
import { chartComparison } from '../../charts/chart.js';
import { TimeChart } from '../../charts/time-chart.js';
import { VERDICT_SERIES, verdictItem } from '../../charts/verdict-series.js';
import { beforeText } from '../../range/comparison.js';
import { linkedRange, type RangeSearch } from '../../range/range.js';
import { RangePage } from '../../range/range-page.js';
import { RangeSkeleton } from '../../range/range-skeleton.js';
import { useRange } from '../../range/use-range.js';
import { EmptyState } from '../../ui/empty-state.js';
import { usePageTitle } from '../../ui/page-title.js';
import { TextLink } from '../../ui/text-link.js';
import { AgentBreakdown } from './agent-breakdown.js';
import { AgentHead } from './agent-head.js';
import { HowVerified } from './how-verified.js';

const route = getRouteApi('/app/projects/$projectId/agents/$agentId');

export function AgentPage() {
  const { projectId, agentId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const shown = useRange(projectId, search);
  const answer = useQuery(agentQuery(projectId, agentId, shown));
  const name = answer.data?.agent_token ?? 'Agent';
  usePageTitle(name, project.name);
  const before = beforeText(search, shown.timeZone);
  const change = (to: Partial<RangeSearch>, replace = false): void =>
    void navigate({ search: (now) => ({ ...now, ...to }), replace, resetScroll: false });
  const { table, ...range } = search;
  return (
    <Stack gap="xs">
      <TextLink to="/projects/$projectId/agents" params={{ projectId }} search={range} size="sm">
        All agents
      </TextLink>
      <RangePage
        title={name}
        projectId={projectId}
        search={search}
        shown={shown}
        onChange={change}
        answer={answer}
        isCompared
        failed="The agent can't be shown"
        skeleton={<RangeSkeleton head={100} />}
      >
        {(agent) => (
          <Stack>
            <AgentHead projectId={projectId} agent={agent} range={linkedRange(search, agent)} before={before} />
            {agent.visits === 0 ? (
              <EmptyState title="No visits in this range">Choose a longer one.</EmptyState>
            ) : (
              <>
                <Card withBorder>
                  <TimeChart
                    title="Visits"
                    series={VERDICT_SERIES}
                    items={agent.series.map(verdictItem)}
                    comparison={chartComparison(before, agent.previous_series.map(verdictItem))}
                    times={{ bucket: agent.bucket, projectZone: shown.projectZone, timeZone: shown.timeZone }}
                    range={agent}
                    onNarrow={(to) => change({ ...to, range: undefined })}
                    isTable={table ?? false}
                    onTable={(isTable) => change({ table: isTable || undefined }, true)}
                  />
                </Card>
                <AgentBreakdown projectId={projectId} agent={agent} range={linkedRange(search, agent)} />
              </>
            )}
            {agent.agent_token !== null && <HowVerified agentId={agentId} />}
          </Stack>
        )}
      </RangePage>
    </Stack>
  );
}
