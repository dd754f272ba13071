import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { use, type ReactNode } from 'react';
import { AUTOMATION_VERDICT_TEXTS } from '#libs/agents/vocabulary';
import {
  dismissedUserAgentsQuery,
  unlistedUserAgentsQuery,
  type Suspicion,
  type Unlisted,
} from '../../api/unlisted-user-agents.js';
import type { ChartSeries } from '../../charts/chart.js';
import { MatchingVisits } from '../../charts/matching-visits.js';
import { formatCount, formatVisitCount } from '../../format/count.js';
import { getVisitorName } from '../../format/program-name.js';
import { describeComparison, toComparedRange } from '../../range/comparison.js';
import { describeRange } from '../../range/describe-range.js';
import { EarlierDataContext } from '../../range/earlier-data.js';
import { listLink } from '../../range/list-link.js';
import { linkedRange, type LinkedRange } from '../../range/range.js';
import { RangePage } from '../../range/range-page.js';
import { RangeSkeleton } from '../../range/range-skeleton.js';
import { useRangePage } from '../../range/use-range-page.js';
import { Answer } from '../../ui/answer.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Lead } from '../../ui/lead.js';
import { TabbedCard } from '../../ui/tabbed-card.js';
import { TextLink } from '../../ui/text-link.js';
import { DismissedList } from './dismissed-list.js';
import type { UnlistedSearch } from './search.js';
import { UnlistedTable } from './unlisted-table.js';

const route = getRouteApi('/app/projects/$projectId/unlisted');

const HELP =
  'A * stands for versions, build numbers, and IDs. Rules match networks, not user agents, so only bots that used a single network can be blocked here.';
const CHART_SERIES: ChartSeries = { key: 'visits', label: 'Visits', color: 'var(--kind-unknown)' };

/** Lists unknown visitors that may be programs missing from the catalog. */
export function UnlistedPage() {
  const { project, projectId, search, shown, change, head } = useRangePage<UnlistedSearch>('Unknown bots', route);
  const suspicion = search.show === 'unclear' ? 'unclear' : 'likely';
  const queries = {
    likely: useQuery(unlistedUserAgentsQuery(projectId, shown, ['likely'])),
    unclear: useQuery(unlistedUserAgentsQuery(projectId, shown, ['unclear'])),
  };
  const dismissedVisits: DismissedVisits = {
    likely: queries.likely.data?.dismissed_visits ?? 0,
    unclear: queries.unclear.data?.dismissed_visits ?? 0,
  };
  const countVisible = (verdict: Suspicion) => {
    const { data } = queries[verdict];
    return data && { count: formatVisitCount(data[verdict] - data.dismissed_visits) };
  };
  const { data: dismissed } = useQuery(dismissedUserAgentsQuery(projectId));
  const compared = toComparedRange(shown);
  const before = describeComparison(search, shown.timeZone);
  const { data: previous } = useQuery({
    ...unlistedUserAgentsQuery(projectId, compared ?? shown, ['likely']),
    enabled: compared !== null,
  });
  return (
    <RangePage
      {...head}
      answer={queries[suspicion]}
      isCompared
      errorTitle="Couldn't load the unknown bots"
      skeleton={<RangeSkeleton head={{ base: 97, sm: 50 }} />}
    >
      {(data) => {
        const linked = linkedRange(search, data);
        const renderGroups = (lead: ReactNode) => (
          <Stack gap="xs">
            {data.groups.length === 0 ? (
              <EmptyTable unlisted={data} show={search.show} />
            ) : (
              <UnlistedTable
                project={project}
                groups={data.groups}
                range={data}
                linked={linked}
                suspicions={[suspicion]}
                timeZone={shown.timeZone}
                lead={lead}
              />
            )}
            <HiddenVisitsNote unlisted={data} />
          </Stack>
        );
        return (
          <Stack>
            <UnlistedAnswer
              {...{ projectId, linked, dismissedVisits, before }}
              unlisted={data}
              groups={queries.likely.data?.groups}
              previous={compared === null ? undefined : previous?.likely}
              when={describeRange(search)}
            />
            {data[suspicion] > 0 && (
              <MatchingVisits
                title={suspicion === 'likely' ? 'Visits by likely bots' : 'Unclear visits'}
                {...{ projectId, search, shown }}
                filters={{ automation: [suspicion] }}
                series={CHART_SERIES}
                height={140}
                onChange={change}
              />
            )}
            <TabbedCard
              label="User agents"
              param="show"
              tabs={[
                {
                  key: 'likely',
                  label: AUTOMATION_VERDICT_TEXTS.likely!.word,
                  ...countVisible('likely'),
                  content: renderGroups(
                    <Lead help={HELP}>User agents that aren’t in the catalog and don’t look like browsers.</Lead>,
                  ),
                },
                {
                  key: 'unclear',
                  label: AUTOMATION_VERDICT_TEXTS.unclear!.word,
                  ...countVisible('unclear'),
                  content: renderGroups(<Lead help={HELP}>{AUTOMATION_VERDICT_TEXTS.unclear!.meaning}</Lead>),
                },
                {
                  key: 'dismissed',
                  label: 'Dismissed',
                  ...(dismissed !== undefined && { count: formatCount(dismissed.length) }),
                  content: <DismissedList project={project} />,
                },
              ]}
            />
          </Stack>
        );
      }}
    </RangePage>
  );
}

/** Number of visits in dismissed groups. */
type DismissedVisits = Record<Suspicion, number>;

interface UnlistedAnswerProps {
  projectId: string;
  unlisted: Unlisted;
  dismissedVisits: DismissedVisits;
  linked: LinkedRange;
  when: string;
  /** Likely bots, most visits first. Undefined until they've loaded. */
  groups: Unlisted['groups'] | undefined;
  /** Number of visits by likely bots in the comparison range. Undefined until it has loaded. */
  previous: number | undefined;
  /** Name of the comparison range, or null for none. */
  before: string | null;
}

function UnlistedAnswer(props: UnlistedAnswerProps) {
  const { projectId, unlisted, dismissedVisits, linked, when, groups, previous, before } = props;
  const hasEarlierData = use(EarlierDataContext);
  const [leader] = groups ?? [];
  const visits = listLink(projectId, linked);
  const { likely, unclear } = unlisted;
  const toLink = (verdict: Suspicion) => (
    <TextLink {...visits({ automation: verdict })} inherit>
      {formatVisitCount(unlisted[verdict])}
    </TextLink>
  );
  return (
    <Answer
      notes={
        unclear > 0 && (
          <p>
            {toLink('unclear')} {unclear === 1 ? 'is unclear: it shows' : 'are unclear: they show'} one sign of
            automation, which normal browsers sometimes show too{describeDismissed(dismissedVisits.unclear)}.
          </p>
        )
      }
    >
      {likely === 0 ? (
        <>No visits {when} look like bots that aren’t in the catalog.</>
      ) : (
        <>
          {toLink('likely')} {when} probably came from bots that aren’t in the catalog
          {describeDismissed(dismissedVisits.likely)}
          {leader !== undefined && (
            <>
              , led by {getVisitorName(leader.user_agent_group)} (
              <TextLink {...visits({ automation: 'likely', user_agent_group: leader.user_agent_group })} inherit>
                {formatCount(leader.visits)}
              </TextLink>
              )
            </>
          )}
          .
          {hasEarlierData &&
            previous !== undefined &&
            before !== null &&
            ` ${describeChange(likely, previous, before)}`}
        </>
      )}
    </Answer>
  );
}

/** Compares the visits with those in the comparison range, as a complete sentence. */
function describeChange(visits: number, previous: number, before: string): string {
  const change = `${visits > previous ? 'up' : 'down'} from ${previous === 0 ? 'none' : formatCount(previous)}`;
  return `Compared with ${before}, that’s ${visits === previous ? 'unchanged' : change}.`;
}

const describeDismissed = (visits: number): string => (visits === 0 ? '' : ` (${formatCount(visits)} dismissed)`);

function HiddenVisitsNote({ unlisted }: { unlisted: Unlisted }) {
  const { other_groups: groups, other_visits: otherVisits, dismissed_visits: dismissed } = unlisted;
  if (otherVisits === 0 && dismissed === 0) return null;
  return (
    <Text size="xs" c="dimmed">
      {otherVisits > 0 &&
        `Not shown: ${formatCount(otherVisits)} visits by ${groups > 0 ? formatCount(groups) : 'rare'} other user agents. `}
      {dismissed > 0 && `${formatCount(dismissed)} visits by dismissed user agents are hidden.`}
    </Text>
  );
}

interface EmptyTableProps {
  unlisted: Unlisted;
  show: UnlistedSearch['show'];
}

function EmptyTable({ unlisted, show }: EmptyTableProps) {
  if (unlisted.dismissed_visits > 0) {
    return <EmptyState title="All of these user agents are dismissed">They’re listed in the last tab.</EmptyState>;
  }
  if (show !== 'unclear' && unlisted.unclear > 0) {
    return (
      <EmptyState title="No likely bots in this range">
        {formatCount(unlisted.unclear)} visits are unclear.{' '}
        <TextLink from="/projects/$projectId/unlisted" to="." search={(now) => ({ ...now, show: 'unclear' as const })}>
          Show unclear visits
        </TextLink>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No unknown bots in this range">
      Every visitor matches an agent in the catalog or looks like a person’s browser.
    </EmptyState>
  );
}
