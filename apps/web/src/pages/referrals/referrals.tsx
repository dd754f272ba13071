import { Button, Card, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, use, type ReactNode } from 'react';
import type { Project } from '../../api/client.js';
import { MAX_LOAD_ROWS } from '../../api/constants.js';
import { loadQuery } from '../../api/load.js';
import { referralsQuery, type Referrals } from '../../api/statistics.js';
import { buildOperatorSeries } from '../../charts/operator-series.js';
import { TimeChart } from '../../charts/time-chart.js';
import { describeComparison } from '../../range/comparison.js';
import { EarlierDataContext } from '../../range/earlier-data.js';
import { describeRange } from '../../range/describe-range.js';
import { linkedRange } from '../../range/range.js';
import { RangePage } from '../../range/range-page.js';
import { RangeSkeleton } from '../../range/range-skeleton.js';
import type { ShownRange } from '../../range/use-range.js';
import { useRangePage } from '../../range/use-range-page.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Lead } from '../../ui/lead.js';
import { TabbedCard } from '../../ui/tabbed-card.js';
import { ReferralsAnswer } from './answer.js';
import { FETCHED_PAGES } from './counts.js';
import { OperatorCards } from './operator-cards.js';
import { useOperatorCosts } from './operator-costs.js';
import { OperatorTable } from './operator-table.js';
import { toFetchedPages, type FetchedPages } from './pages.js';
import type { ReferralsSearch } from './search.js';
import { AssistantTable, PageTable, type ReferralTableProps } from './tables.js';

const AssistantsDrawer = lazy(() => import('./assistants-drawer.js'));
const route = getRouteApi('/app/projects/$projectId/referrals');

export function ReferralsPage() {
  const { project, projectId, search, shown, change, head } = useRangePage<ReferralsSearch>('Referrals', route);
  const answer = useQuery(referralsQuery(projectId, shown));
  const open = (assistants?: ReferralsSearch['assistants'], name?: string): void => change({ assistants, name });
  return (
    <>
      <RangePage
        {...head}
        answer={answer}
        isCompared
        errorTitle="Couldn't load the referrals"
        isEmpty={isEmpty}
        skeleton={<RangeSkeleton head={{ base: 300, sm: 110 }} />}
      >
        {(referrals) => (
          <ReferralsContent {...{ project, referrals, search, shown, change }} onManage={() => open('all')} />
        )}
      </RangePage>
      <Suspense>
        {search.assistants !== undefined && (
          <AssistantsDrawer shown={search.assistants} name={search.name} onOpen={open} />
        )}
      </Suspense>
    </>
  );
}

interface ReferralsContentProps {
  project: Project;
  referrals: Referrals;
  search: ReferralsSearch;
  shown: ShownRange;
  change: (to: Partial<ReferralsSearch>, replace?: boolean) => void;
  onManage: () => void;
}

function ReferralsContent({ project, referrals, search, shown, change, onManage }: ReferralsContentProps) {
  const hasEarlierData = use(EarlierDataContext);
  const before = describeComparison(search, shown.timeZone);
  const costs = useOperatorCosts(project, referrals);
  const props = {
    project,
    referrals,
    costs,
    linked: linkedRange(search, referrals),
    // The sentence mentions missing data once, instead of next to each number.
    before: hasEarlierData ? before : null,
  };
  return (
    <Stack>
      <ReferralsAnswer
        {...props}
        when={describeRange(search)}
        lacksEarlierData={before !== null && !hasEarlierData}
        onOperators={() => change({ tab: 'operators' }, true)}
      />
      {referrals.referrals === 0 ? (
        <EmptyState title="No referrals in this range">
          No request named an assistant. Many apps and copied links don’t reveal where people come from, so some
          referrals may be missing.
        </EmptyState>
      ) : (
        <Card withBorder>
          <TimeChart
            title="People sent by operator"
            {...getChartSeries(referrals)}
            times={{ bucket: referrals.bucket, projectZone: shown.projectZone, timeZone: shown.timeZone }}
            range={referrals}
            onNarrow={(range) => change({ ...range, range: undefined })}
            isTable={search.table ?? false}
            onTable={(isTable) => change({ table: isTable || undefined }, true)}
          />
        </Card>
      )}
      <OperatorCards {...props} />
      <ReferralTabs
        {...props}
        actions={
          <Button size="xs" variant="default" onClick={onManage}>
            Manage assistants
          </Button>
        }
      />
    </Stack>
  );
}

/** Card with the numbers by page, assistant and operator. */
function ReferralTabs({ actions, ...props }: ReferralTableProps & { actions: ReactNode }) {
  const { project, referrals } = props;
  const { from, to } = referrals;
  const operator = referrals.operators.map(({ operator_name: name }) => name);
  const { data: load } = useQuery({
    ...loadQuery(project.id, { from, to }, { by: 'page', operator, ...(FETCHED_PAGES as object) }),
    enabled: operator.length > 0,
  });
  const fetched = operator.length === 0 ? NOTHING_FETCHED : load && toFetchedPages(load, MAX_LOAD_ROWS);
  const countedNote =
    project.unknown_visitors === 'counted'
      ? ' This project only counts visits by people, so these numbers don’t link to visits.'
      : '';
  return (
    <TabbedCard
      label="Details"
      param="tab"
      actions={actions}
      tabs={[
        {
          key: 'pages',
          label: 'Pages',
          content: (
            <PageTable
              {...props}
              fetched={fetched}
              lead={
                <Lead help="Fetched: stored visits by these operators’ agents with a status below 400. Other files, such as images, don’t count. People sent: visits that an assistant referred.">
                  Pages fetched by agents and visited by people they sent.{countedNote}
                </Lead>
              }
            />
          ),
        },
        {
          key: 'assistants',
          label: 'Assistants',
          content: (
            <AssistantTable
              {...props}
              lead={
                <Lead help={<>Based on utm_source, source or ref in the URL, or otherwise the Referer header.</>}>
                  People who followed a link in an assistant.{countedNote}
                </Lead>
              }
            />
          ),
        },
        {
          key: 'operators',
          label: 'Operators',
          content: (
            <OperatorTable
              {...props}
              lead={<Lead help={<Definition />}>Pages fetched for each person sent, by operator.</Lead>}
            />
          ),
        },
      ]}
    />
  );
}

const NOTHING_FETCHED: FetchedPages = { counts: new Map(), isComplete: true };

const Definition = () => (
  <>
    Only GET requests for HTML or Markdown with a status below 400 count as fetched pages. Visits that failed
    verification don’t count. Each number links to all visits by these agents with a status below 400, including other
    methods and files such as robots.txt. Apps, copied links and strict privacy settings hide where people come from, so
    the actual number of people can be higher. People from an operator’s own search engine can’t be distinguished and
    aren’t counted.
  </>
);

/** Returns a series for each operator whose assistants sent the most people. */
function getChartSeries({ series, assistants }: Referrals) {
  const operators = new Map(assistants.map(({ assistant, operator_name: operator }) => [assistant, operator]));
  const items = series.map(({ time, by_assistant: byAssistant }) => {
    const byOperator: Record<string, number> = {};
    for (const [assistant, people] of Object.entries(byAssistant)) {
      const operator = operators.get(assistant);
      if (operator != null) byOperator[operator] = (byOperator[operator] ?? 0) + people;
    }
    return { time, total: Object.values(byAssistant).reduce((sum, people) => sum + people, 0), byOperator };
  });
  return buildOperatorSeries(items, [], 'All others');
}

const isEmpty = ({ unknown_visits: visits, referrals, operators }: Referrals): boolean =>
  visits === 0 && referrals === 0 && operators.length === 0;
