import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { use, type ReactNode } from 'react';
import { AUTOMATION_VERDICT_TEXTS } from '#libs/agents/vocabulary';
import type { Project } from '../../api/client.js';
import {
  dismissedUserAgentsQuery,
  unlistedUserAgentsQuery,
  type Suspicion,
  type Unlisted,
  type UnlistedGroup,
} from '../../api/unlisted-user-agents.js';
import { formatCount, formatVisitCount } from '../../format/count.js';
import { describeChange } from '../../format/describe-change.js';
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
import { Listing } from '../../ui/listing.js';
import { Lead } from '../../ui/lead.js';
import { TabbedCard } from '../../ui/tabbed-card.js';
import { TextLink } from '../../ui/text-link.js';
import { BOT_CHART_HEIGHT_PX, BotChart } from './bot-chart.js';
import { BotActions } from './bot-actions.js';
import { getBotName } from './bots.js';
import { DismissedList } from './dismissed-list.js';
import type { UnlistedSearch } from './search.js';
import { UnlistedTable } from './unlisted-table.js';

const route = getRouteApi('/app/projects/$projectId/unlisted');

const NOTES =
  'In user agents, * stands for a version or ID. People can use the same networks, so block by user agent if you can.';

const MAX_NAMED_SCANNERS = 3;

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
  const previousQuery = (verdict: Suspicion) => ({
    ...unlistedUserAgentsQuery(projectId, compared ?? shown, [verdict]),
    enabled: compared !== null,
  });
  const previousQueries = {
    likely: useQuery(previousQuery('likely')),
    unclear: useQuery(previousQuery('unclear')),
  };
  const previous = { likely: previousQueries.likely.data, unclear: previousQueries.unclear.data };
  // Both would make the sentence longer, and changes also make the columns wider.
  const isAnswerPending = queries.likely.isPending || (compared !== null && previousQueries.likely.isPending);
  return (
    <RangePage
      {...head}
      answer={isAnswerPending ? { ...queries[suspicion], data: undefined } : queries[suspicion]}
      isCompared
      errorTitle="Couldn't load the unknown bots"
      skeleton={<RangeSkeleton head={{ base: 201, sm: 76 }} chart={BOT_CHART_HEIGHT_PX} />}
    >
      {(data) => {
        const linked = linkedRange(search, data);
        const { groups: ranked } = data;
        const renderGroups = (lead: ReactNode) => (
          <Stack gap="xs">
            {data.groups.length === 0 ? (
              <EmptyTable unlisted={data} show={search.show} />
            ) : (
              <UnlistedTable
                project={project}
                ranked={ranked}
                previous={compared === null ? undefined : previous[suspicion]?.groups}
                before={before}
                range={data}
                linked={linked}
                suspicion={suspicion}
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
              {...{ project, linked, dismissedVisits, before }}
              timeZone={shown.timeZone}
              unlisted={data}
              bots={queries.likely.data}
              previous={compared === null ? undefined : previous.likely?.likely}
              when={describeRange(search)}
            />
            {data[suspicion] > 0 && (
              <BotChart
                title={suspicion === 'likely' ? 'Visits by unknown bots' : 'Unclear visits'}
                {...{ projectId, search, shown, suspicion, ranked }}
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
                    <Lead>User agents that aren’t in the catalog and don’t look like browsers. {NOTES}</Lead>,
                  ),
                },
                {
                  key: 'unclear',
                  label: AUTOMATION_VERDICT_TEXTS.unclear!.word,
                  ...countVisible('unclear'),
                  content: renderGroups(
                    <Lead>
                      {AUTOMATION_VERDICT_TEXTS.unclear!.meaning} {NOTES}
                    </Lead>,
                  ),
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
  project: Project;
  timeZone: string;
  unlisted: Unlisted;
  dismissedVisits: DismissedVisits;
  linked: LinkedRange;
  when: string;
  /** Likely bots. Undefined until they've loaded. */
  bots: Unlisted | undefined;
  /** Number of visits by likely bots in the comparison range. Undefined until it has loaded. */
  previous: number | undefined;
  /** Name of the comparison range, or null for none. */
  before: string | null;
}

function UnlistedAnswer(props: UnlistedAnswerProps) {
  const { project, timeZone, unlisted, dismissedVisits, linked, when, bots, previous, before } = props;
  const hasEarlierData = use(EarlierDataContext);
  const visits = listLink(project.id, linked);
  const { likely, unclear } = unlisted;
  const [leader] = bots?.groups ?? [];
  const scanners = bots?.groups.filter(({ probed_paths: paths }) => paths.length > 0) ?? [];
  // Rare bots are only counted together.
  const count = bots?.other_visits === 0 && dismissedVisits.likely === 0 ? bots.groups.length : null;
  const toLink = (verdict: Suspicion) => (
    <TextLink {...visits({ automation: verdict })} inherit>
      {formatVisitCount(unlisted[verdict])}
    </TextLink>
  );
  const toBotLink = ({ user_agent_group: group, visits: botVisits }: UnlistedGroup, text = formatCount(botVisits)) => (
    <TextLink {...visits({ automation: 'likely', user_agent_group: group })} inherit>
      {text}
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
          {toLink('likely')} {when}
          {previous !== undefined && before !== null && hasEarlierData && `, ${describeChange(likely, previous)},`}{' '}
          probably came from{' '}
          {count === 1 ? 'an unknown bot' : `${count === null ? '' : `${formatCount(count)} `}unknown bots`}
          {describeDismissed(dismissedVisits.likely)}
          {leader !== undefined && scanners.length === 0 && (
            <>
              {count === 1 ? ', ' : ', led by '}
              {getBotName(leader)}
              {count !== 1 && <> ({toBotLink(leader)})</>}
            </>
          )}
          .
          {scanners.length === 1 && (
            <>
              {' '}
              {toBotLink(scanners[0]!, getBotName(scanners[0]!))} looks like a vulnerability scanner: it requested{' '}
              <Listing items={scanners[0]!.probed_paths.map((path) => ({ key: path, content: path }))} />.{' '}
              <BotActions
                {...{ project, timeZone }}
                group={scanners[0]!}
                range={unlisted}
                visits={visits({ automation: 'likely', user_agent_group: scanners[0]!.user_agent_group })}
                isPrimary
              />
            </>
          )}
          {scanners.length > 1 && (
            <>
              {' '}
              {formatCount(scanners.length)} of them look like vulnerability scanners:{' '}
              <Listing
                limit={MAX_NAMED_SCANNERS}
                items={scanners.map((bot) => ({
                  key: bot.user_agent_group,
                  content: (
                    <>
                      {getBotName(bot)} ({toBotLink(bot)})
                    </>
                  ),
                }))}
              />
              .
            </>
          )}
        </>
      )}
    </Answer>
  );
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
