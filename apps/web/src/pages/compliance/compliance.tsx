import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { complianceQuery, type Compliance } from '../../api/compliance.js';
import { MatchingVisits, matchingVisitsQuery } from '../../charts/matching-visits.js';
import type { FilterSet } from '../../filters/filter-set.js';
import { Change } from '../../range/change.js';
import { describeComparison } from '../../range/comparison.js';
import { describeRange } from '../../range/describe-range.js';
import { linkedRange } from '../../range/range.js';
import { RangePage } from '../../range/range-page.js';
import { RangeSkeleton } from '../../range/range-skeleton.js';
import type { ShownRange } from '../../range/use-range.js';
import type { ComplianceSearch } from './search.js';
import { useRangePage } from '../../range/use-range-page.js';
import { StatementButton } from '../../statements/statement-button.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Headline } from './headline.js';
import { RobotsRefused } from './robots-refused.js';
import { ComplianceTabs } from './tabs.js';
import { VerdictAnswer } from './verdict-answer.js';
import { COUNT_FILTERS, forCrawlers } from './visit-links.js';

const AgentDrawer = lazy(() => import('./agent-drawer.js'));
const VersionDrawer = lazy(() => import('./version-drawer.js'));
const route = getRouteApi('/app/projects/$projectId/compliance');

export function CompliancePage() {
  const { project, projectId, search, shown, change, head } = useRangePage<ComplianceSearch>('Compliance', route);
  const query = useQuery(complianceQuery(projectId, shown));
  const before = describeComparison(search, shown.timeZone);
  return (
    <RangePage
      {...head}
      answer={query}
      isCompared
      actions={<StatementButton projectId={projectId} operator={null} range={shown} />}
      errorTitle="Couldn't load compliance data"
      skeleton={<RangeSkeleton head={145} />}
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
                <VerdictAnswer projectId={projectId} compliance={data} linked={linked} when={describeRange(search)} />
                <Headline
                  projectId={projectId}
                  compliance={data}
                  linked={linked}
                  change={<DisallowedChange {...{ projectId, shown, filters, before }} />}
                />
              </>
            )}
            {data.totals.disallowed > 0 && (
              <MatchingVisits
                title="Disallowed visits by agent type"
                {...{ projectId, search, shown, filters }}
                onChange={change}
              />
            )}
            {data.robots_refused !== null && (
              <RobotsRefused projectId={projectId} refused={data.robots_refused} linked={linked} />
            )}
            <ComplianceTabs
              project={project}
              compliance={data}
              linked={linked}
              timeZone={shown.timeZone}
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

interface DisallowedChangeProps {
  projectId: string;
  shown: ShownRange;
  filters: FilterSet;
  before: string | null;
}

/** Change in disallowed visits. Loaded separately, because the compliance data has no comparison. */
function DisallowedChange({ projectId, shown, filters, before }: DisallowedChangeProps) {
  const { data } = useQuery(matchingVisitsQuery(projectId, shown, filters));
  if (data === undefined || data.sample?.is_estimated) return null;
  return <Change current={data.current.visits} previous={data.previous.visits} before={before} />;
}
