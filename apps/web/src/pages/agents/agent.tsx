import { Card, Skeleton, Stack } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { ApiError } from '../../api/client.js';
import { policyQuery } from '../../api/policy.js';
import { projectQuery } from '../../api/queries.js';
import { agentQuery, type VisitingAgent } from '../../api/statistics.js';
import { toComparedSeries } from '../../charts/chart.js';
import { TimeChart } from '../../charts/time-chart.js';
import { countVerdicts, VERDICT_SERIES, toVerdictItem, type AgentResult } from '../../charts/verdict-series.js';
import { describeComparison } from '../../range/comparison.js';
import { linkedRange } from '../../range/range.js';
import { RangePage } from '../../range/range-page.js';
import { RangeSkeleton } from '../../range/range-skeleton.js';
import { useRange } from '../../range/use-range.js';
import { StatementButton } from '../../statements/statement-button.js';
import { AgentMark } from '../../ui/agent-mark.js';
import { EmptyState } from '../../ui/empty-state.js';
import { MissingPage } from '../../ui/missing-page.js';
import { Section } from '../../ui/section.js';
import { TabbedCard } from '../../ui/tabbed-card.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { TextLink } from '../../ui/text-link.js';
import { AgentBreakdown } from './agent-breakdown.js';
import { AgentHead } from './agent-head.js';
import { AgentRuleState, AgentTitleActions } from './agent-rule-state.js';
import { HowVerified } from './how-verified.js';
import type { AgentSearch } from './search.js';

const AgentLoad = lazy(() => import('../../load/agent-load.js').then((module) => ({ default: module.AgentLoad })));
const Conduct = lazy(() => import('./conduct.js').then(({ Conduct: component }) => ({ default: component })));

/** Returns the series of the verdicts that occur in the range or the comparison range. */
const getSeries = ({ series, previous_series: previous }: VisitingAgent) => {
  const counts = [...series, ...previous].map(countVerdicts);
  return VERDICT_SERIES.filter(({ key }) => counts.some((item) => item[key as AgentResult] > 0));
};

const route = getRouteApi('/app/projects/$projectId/agents/$agentId');

export function AgentPage() {
  const { projectId, agentId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const activeRange = useRange(projectId, search);
  const query = useQuery(agentQuery(projectId, agentId, activeRange));
  const isMissing = query.error instanceof ApiError && query.error.status === 404;
  const name = query.data?.agent_token ?? (isMissing ? 'Agent not found' : 'Agent');
  usePageTitle(name, project.name);
  const { isPending: isPolicyPending } = useQuery(policyQuery(projectId));
  const before = describeComparison(search, activeRange.timeZone);
  const change = (to: Partial<AgentSearch>, replace = false): void =>
    void navigate({ search: (now) => ({ ...now, ...to }), replace, resetScroll: false });
  const { table, identity: _identity, about: _about, action, ...range } = search;
  if (isMissing) {
    return (
      <MissingPage title={name} text="The address may be mistyped, or the agent may no longer be in the catalog.">
        <TextLink to="/projects/$projectId/agents" params={{ projectId }} search={range}>
          All agents
        </TextLink>
      </MissingPage>
    );
  }
  return (
    <Stack gap="xs">
      <TextLink to="/projects/$projectId/agents" params={{ projectId }} search={range} size="sm">
        All agents
      </TextLink>
      <RangePage
        title={name}
        mark={query.data && <AgentMark name={name} operator={query.data.operator_name} size={28} />}
        projectId={projectId}
        search={search}
        shown={activeRange}
        onChange={change}
        // The line about a rule would move the page down.
        answer={isPolicyPending ? { ...query, data: undefined } : query}
        isCompared
        errorTitle="Couldn't load the agent"
        titleActions={
          query.data === undefined ? null : (
            <AgentTitleActions
              project={project}
              agent={query.data}
              range={linkedRange(search, query.data)}
              timeZone={activeRange.timeZone}
              action={action}
              onActionClose={() => change({ action: undefined }, true)}
            />
          )
        }
        skeleton={<RangeSkeleton head={{ base: 400, sm: 190 }} />}
      >
        {(agent) => (
          <Stack>
            <AgentRuleState project={project} agent={agent} />
            <AgentHead project={project} agent={agent} range={linkedRange(search, agent)} before={before} />
            {agent.visits === 0 ? (
              <>
                <EmptyState title="No visits in this range">Choose a longer range.</EmptyState>
                {agent.agent_token !== null && (
                  <Section title="How it’s verified">
                    <HowVerified agentId={agentId} />
                  </Section>
                )}
              </>
            ) : (
              <>
                <Card withBorder>
                  <TimeChart
                    title="Visits"
                    series={getSeries(agent)}
                    items={agent.series.map(toVerdictItem)}
                    comparison={toComparedSeries(before, agent.previous_series.map(toVerdictItem))}
                    times={{
                      bucket: agent.bucket,
                      projectZone: activeRange.projectZone,
                      timeZone: activeRange.timeZone,
                    }}
                    range={agent}
                    onNarrow={(to) => change({ ...to, range: undefined })}
                    isTable={table ?? false}
                    onTable={(isTable) => change({ table: isTable || undefined }, true)}
                  />
                </Card>
                <AgentBreakdown
                  project={project}
                  agent={agent}
                  shown={activeRange}
                  range={linkedRange(search, agent)}
                  before={before}
                />
                <TabbedCard
                  label="Cost and conduct"
                  param="about"
                  actions={
                    agent.operator_name !== null && (
                      <StatementButton projectId={projectId} operator={agent.operator_name} range={activeRange} />
                    )
                  }
                  tabs={[
                    {
                      key: 'cost',
                      label: 'Cost and return',
                      content: (
                        <Suspense fallback={<Skeleton h={120} animate={false} />}>
                          <AgentLoad
                            project={project}
                            agent={agent}
                            range={activeRange}
                            linked={linkedRange(search, agent)}
                            failed={countVerdicts(agent).verification_failed}
                          />
                        </Suspense>
                      ),
                    },
                    {
                      key: 'conduct',
                      label: 'Conduct',
                      content: (
                        <Suspense>
                          <Conduct
                            projectId={projectId}
                            agentId={agentId}
                            range={agent}
                            failed={countVerdicts(agent).verification_failed}
                          />
                        </Suspense>
                      ),
                    },
                  ]}
                />
              </>
            )}
          </Stack>
        )}
      </RangePage>
    </Stack>
  );
}
