import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { complianceQuery, type Compliance } from '../../api/compliance.js';
import { linkedRange } from '../../range/range.js';
import { RangePage } from '../../range/range-page.js';
import { RangeSkeleton } from '../../range/range-skeleton.js';
import type { ComplianceSearch } from './search.js';
import { useRangePage } from '../../range/use-range-page.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Section } from '../../ui/section.js';
import { AgentTable } from './agent-table.js';
import { FilesTable } from './files-table.js';
import { Headline } from './headline.js';
import { PaidCrawlTable } from './paid-crawl-table.js';

const AgentDrawer = lazy(() => import('./agent-drawer.js'));
const Versions = lazy(() => import('./versions.js'));
const VersionDrawer = lazy(() => import('./version-drawer.js'));
const route = getRouteApi('/app/projects/$projectId/compliance');

export function CompliancePage() {
  const { project, projectId, search, shown, change, head } = useRangePage<ComplianceSearch>('Compliance', route);
  const query = useQuery(complianceQuery(projectId, shown));
  return (
    <RangePage
      {...head}
      answer={query}
      errorTitle="Couldn't load compliance data"
      skeleton={<RangeSkeleton head={145} />}
    >
      {(data) => {
        const linked = linkedRange(search, data);
        const crawlers = data.agents.filter((agent) => !agent.is_user_triggered);
        const userTriggeredAgents = data.agents.filter((agent) => agent.is_user_triggered);
        const openAgent = data.agents.find(({ agent_id: id }) => id === search.agent);
        const tables = { project, range: data, linked };
        return (
          <Stack>
            {isEmpty(data) ? (
              <EmptyState title="No visits judged in this range">
                Visits by agents are judged once a version of the site’s robots.txt is known. Choose a longer range, or
                see the known versions below.
              </EmptyState>
            ) : (
              <>
                <Headline projectId={projectId} compliance={data} linked={linked} />
                <Section
                  title="Agents"
                  lead="Each agent’s visits, judged by the robots.txt active at the time. Served: disallowed, but with a status below 400. Blocked: disallowed, with status 403. Conflicts: allowed, but with status 403. Select an agent to see lines and paths."
                >
                  {crawlers.length === 0 ? (
                    <Text size="sm">Only agents that fetch on behalf of people visited in this range.</Text>
                  ) : (
                    <AgentTable {...tables} agents={crawlers} page="compliance" />
                  )}
                </Section>
              </>
            )}
            {userTriggeredAgents.length > 0 && (
              <Section
                title="On behalf of people"
                lead="These agents fetch a page when a person asks for it. Their operators say that robots.txt only applies to automatic crawling, so these visits aren’t counted above."
              >
                <AgentTable {...tables} agents={userTriggeredAgents} page="compliance of user-triggered agents" />
              </Section>
            )}
            <Suspense fallback={<Skeleton h={200} animate={false} />}>
              <Versions project={project} timeZone={shown.timeZone} onOpen={(version) => change({ version })} />
            </Suspense>
            <FilesTable {...tables} files={data.files} />
            <PaidCrawlTable {...tables} rows={data.paid_crawl} />
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
