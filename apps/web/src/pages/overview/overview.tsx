import { Card, Stack, Switch } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { projectQuery } from '../../api/queries.js';
import { overviewQuery } from '../../api/statistics.js';
import { TimeChart } from '../../charts/time-chart.js';
import { typeSeries } from '../../charts/type-series.js';
import { beforeText } from '../../range/range.js';
import { RangePage } from '../../range/range-page.js';
import { RangeSkeleton } from '../../range/range-skeleton.js';
import { useRange } from '../../range/use-range.js';
import { SavedFilters } from '../../saved-filters/saved-filters.js';
import { usePageTitle } from '../../ui/page-title.js';
import { AGENT_TYPES } from '../../ui/agent-types.js';
import { Headline } from './headline.js';
import type { OverviewSearch } from './search.js';
import { TopLists } from './top-lists.js';
import { useWithNews, WhatsNew } from './whats-new.js';

const route = getRouteApi('/app/projects/$projectId/overview');

export function OverviewPage() {
  const { projectId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  usePageTitle('Overview', project.name);
  const shown = useRange(projectId, search);
  const answer = useWithNews(useQuery(overviewQuery(projectId, shown)), projectId, shown);
  const change = (to: Partial<OverviewSearch>, replace = false): void =>
    void navigate({ search: (now) => ({ ...now, ...to }), replace, resetScroll: false });
  return (
    <RangePage
      title="Overview"
      projectId={projectId}
      search={search}
      shown={shown}
      onChange={change}
      answer={answer}
      failed="The overview can't be shown"
      isEmpty={({ current }) => current.visits === 0}
      filters={<SavedFilters />}
      skeleton={<RangeSkeleton head={{ base: 190, md: 115 }} />}
    >
      {(overview) => (
        <Stack>
          <WhatsNew projectId={projectId} range={shown} />
          <div>
            <Headline projectId={projectId} overview={overview} before={beforeText(search)} />
          </div>
          <Card withBorder>
            <TimeChart
              title="Visits by agent type"
              {...typeSeries(overview.series, AGENT_TYPES, search.unknown ?? false)}
              times={{ bucket: overview.bucket, projectZone: shown.projectZone, timeZone: shown.timeZone }}
              range={overview}
              onNarrow={(range) => change({ ...range, range: undefined })}
              isTable={search.table ?? false}
              onTable={(isTable) => change({ table: isTable || undefined }, true)}
              aside={
                <Switch
                  size="xs"
                  label="Include unknown visitors"
                  checked={search.unknown ?? false}
                  onChange={({ currentTarget }) => change({ unknown: currentTarget.checked || undefined }, true)}
                />
              }
            />
          </Card>
          <TopLists projectId={projectId} overview={overview} />
        </Stack>
      )}
    </RangePage>
  );
}
