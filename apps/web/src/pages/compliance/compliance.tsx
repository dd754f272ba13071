import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { complianceQuery, type Compliance } from '../../api/compliance.js';
import { MatchingVisits } from '../../charts/matching-visits.js';
import { describeComparison, toComparedRange } from '../../range/comparison.js';
import { describeRange } from '../../range/describe-range.js';
import { linkedRange } from '../../range/range.js';
import { RangePage } from '../../range/range-page.js';
import { RangeSkeleton } from '../../range/range-skeleton.js';
import type { ComplianceSearch } from './search.js';
import { useRangePage } from '../../range/use-range-page.js';
import { EmptyState } from '../../ui/empty-state.js';
import { findOperator } from './find-operator.js';
import { Headline } from './headline.js';
import { RobotsRefused } from './robots-refused.js';
import { ComplianceTabs } from './tabs.js';
import { VerdictAnswer } from './verdict-answer.js';
import { COUNT_FILTERS, forCrawlers } from '../../rules/judged-visit-links.js';

const StatementButton = lazy(() =>
  import('../../statements/statement-button.js').then((module) => ({ default: module.StatementButton })),
);
const AgentDrawer = lazy(() => import('./agent-drawer.js'));
const VersionDrawer = lazy(() => import('./version-drawer.js'));
const route = getRouteApi('/app/projects/$projectId/compliance');

export function CompliancePage() {
  const { project, projectId, search, shown, change, head } = useRangePage<ComplianceSearch>('Compliance', route);
  const query = useQuery(complianceQuery(projectId, shown));
  const compared = toComparedRange(shown);
  const { data: previous } = useQuery({ ...complianceQuery(projectId, compared ?? shown), enabled: compared !== null });
  const before = describeComparison(search, shown.timeZone);
  return (
    <RangePage
      {...head}
      answer={query}
      isCompared
      errorTitle="Couldn't load compliance data"
      skeleton={<RangeSkeleton head={{ base: 400, sm: 205 }} />}
    >
      {(data) => {
        const linked = linkedRange(search, data);
        const openAgent = data.agents.find(({ agent_id: id }) => id === search.agent);
        const filters = forCrawlers(data.agents, COUNT_FILTERS.disallowed);
        return (
          <Stack>
            {isEmpty(data) ? (
              <EmptyState title="No visits judged in this range">
                Visits by agents are judged once a version of the site’s robots.txt is known. Choose a longer range, or
                see the known versions below.
              </EmptyState>
            ) : (
              <>
                <VerdictAnswer
                  projectId={projectId}
                  compliance={data}
                  linked={linked}
                  when={describeRange(search)}
                  before={before}
                />
                <Headline
                  projectId={projectId}
                  compliance={data}
                  linked={linked}
                  shown={shown}
                  previous={previous?.totals}
                  before={before}
                />
              </>
            )}
            {data.robots_refused !== null && (
              <RobotsRefused projectId={projectId} refused={data.robots_refused} linked={linked} />
            )}
            {data.totals.disallowed > 0 && (
              <MatchingVisits
                title="Disallowed visits by agent"
                isByAgent
                {...{ projectId, search, shown, filters }}
                onChange={change}
              />
            )}
            <ComplianceTabs
              project={project}
              compliance={data}
              linked={linked}
              previous={previous}
              before={before}
              timeZone={shown.timeZone}
              actions={
                <Suspense fallback={<Skeleton w={100} h={30} animate={false} />}>
                  <StatementButton projectId={projectId} operator={findOperator(data.agents)} range={shown} />
                </Suspense>
              }
              onOpenVersion={(version) => change({ version })}
            />
            <Suspense>
              {openAgent !== undefined && (
                <AgentDrawer
                  projectId={projectId}
                  agent={openAgent}
                  range={shown}
                  linked={linked}
                  timeZone={shown.timeZone}
                  onClose={() => change({ agent: undefined })}
                />
              )}
              {search.version !== undefined && (
                <VersionDrawer
                  projectId={projectId}
                  versionId={search.version}
                  timeZone={shown.timeZone}
                  onClose={() => change({ version: undefined })}
                />
              )}
            </Suspense>
          </Stack>
        );
      }}
    </RangePage>
  );
}

const isEmpty = ({ agents }: Compliance): boolean => agents.length === 0;
