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
  const answer = useQuery(complianceQuery(projectId, shown));
  return (
    <RangePage {...head} answer={answer} failed="The compliance can't be shown" skeleton={<RangeSkeleton head={145} />}>
      {(data) => {
        const linked = linkedRange(search, data);
        const bound = data.agents.filter((agent) => !agent.is_user_triggered);
        const onBehalf = data.agents.filter((agent) => agent.is_user_triggered);
        const open = data.agents.find(({ agent_id: id }) => id === search.agent);
        const tables = { project, range: data, linked };
        return (
          <Stack>
            {isEmpty(data) ? (
              <EmptyState title="No visits judged in this range">
                Visits of agents are judged once a version of the site’s robots.txt is known. Choose a longer range, or
                see below which versions are known.
              </EmptyState>
            ) : (
              <>
                <Headline projectId={projectId} compliance={data} linked={linked} />
                <Section
                  title="Agents"
                  lead="What each fetched, judged by the robots.txt that was in force at that moment. Served are disallowed visits answered below 400, blocked those answered 403; conflicts are allowed visits answered 403. Select an agent for the lines and paths."
                >
                  {bound.length === 0 ? (
                    <Text size="sm">Only agents that fetch on behalf of people came in this range.</Text>
                  ) : (
                    <AgentTable {...tables} agents={bound} page="compliance" />
                  )}
                </Section>
              </>
            )}
            {onBehalf.length > 0 && (
              <Section
                title="On behalf of people"
                lead="These agents fetch a page when a person asks for it. Their operators say that robots.txt, which is about automatic crawling, does not bind them, so nothing here is counted above."
              >
                <AgentTable {...tables} agents={onBehalf} page="compliance of user-triggered agents" />
              </Section>
            )}
            <Suspense fallback={<Skeleton h={200} animate={false} />}>
              <Versions project={project} timeZone={shown.timeZone} onOpen={(version) => change({ version })} />
            </Suspense>
            <FilesTable {...tables} files={data.files} />
            <PaidCrawlTable {...tables} rows={data.paid_crawl} />
            <Suspense>
              {open !== undefined && (
                <AgentDrawer
                  projectId={projectId}
                  agent={open}
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
