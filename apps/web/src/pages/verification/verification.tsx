import { Card, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { RESULTS } from '#libs/agents/vocabulary';
import { UpdateLists } from '../../actions/update-lists.js';
import { useBlockingRule } from '../../actions/use-blocking-rule.js';
import { MAX_SAMPLED_VISITS } from '../../api/constants.js';
import { sessionQuery } from '../../api/queries.js';
import { newsQuery, verificationQuery, type UnverifiedResult, type Verification } from '../../api/statistics.js';
import type { Project } from '../../api/client.js';
import { formatCount, formatVisitCount } from '../../format/count.js';
import { toComparedSeries, type ChartItem } from '../../charts/chart.js';
import { TimeChart } from '../../charts/time-chart.js';
import { VerdictFigures } from '../../charts/verdict-figures.js';
import { AGENT_RESULTS, VERDICT_SERIES } from '../../charts/verdict-series.js';
import { describeComparison, toComparedRange } from '../../range/comparison.js';
import { describeRange } from '../../range/describe-range.js';
import { listLink } from '../../range/list-link.js';
import { linkedRange, type LinkedRange } from '../../range/range.js';
import { RangePage } from '../../range/range-page.js';
import { RangeSkeleton } from '../../range/range-skeleton.js';
import { useRangePage } from '../../range/use-range-page.js';
import type { Requests } from '../../rules/agent-response.js';
import { GoLiveButton } from '../../rules/go-live-button.js';
import { CardSkeleton } from '../../ui/card-skeleton.js';
import { Help } from '../../ui/help.js';
import { Lead } from '../../ui/lead.js';
import { Segments } from '../../ui/segments.js';
import { TabbedCard } from '../../ui/tabbed-card.js';
import { TextLink } from '../../ui/text-link.js';
import { UnconfirmedPathNote } from '../../visitor-path/unconfirmed-note.js';
import { VerdictAnswer } from './verdict-answer.js';
import type { VerificationSearch } from './search.js';
import { sumVerdicts } from './verdicts.js';

const UnverifiedTable = lazy(() =>
  import('./unverified-table.js').then((module) => ({ default: module.UnverifiedTable })),
);
const route = getRouteApi('/app/projects/$projectId/verification');

export function VerificationPage() {
  const { project, projectId, search, shown, change, head } = useRangePage<VerificationSearch>('Verification', route);
  const query = useQuery(verificationQuery(projectId, shown));
  const compared = toComparedRange(shown);
  const comparedQuery = (result: UnverifiedResult) => ({
    ...verificationQuery(projectId, { ...(compared ?? shown), compareFrom: 'none' }, result),
    enabled: compared !== null,
  });
  const { data: previous } = useQuery(comparedQuery('verification_failed'));
  const { data: previousUnverifiable } = useQuery(comparedQuery('not_verifiable'));
  const { data: unverifiable } = useQuery(
    verificationQuery(projectId, { ...shown, compareFrom: 'none' }, 'not_verifiable'),
  );
  const { data: news, isPending } = useQuery(newsQuery(projectId, shown));
  const [impersonation] = (news?.items ?? [])
    .filter((item) => item.kind === 'impersonation')
    .toSorted((one, other) => other.visits - one.visits);
  const before = describeComparison(search, shown.timeZone);
  return (
    <RangePage
      {...head}
      // The answer's sentence needs both, and would grow while the page is read.
      answer={isPending ? { ...query, data: undefined } : query}
      isCompared
      errorTitle="Couldn't load the verification results"
      isEmpty={isEmpty}
      skeleton={<RangeSkeleton head={{ base: 361, sm: 198 }} />}
    >
      {(data) => (
        <Stack>
          <UnconfirmedPathNote project={project} consequence="Until then, “verified” can be forged." />
          <VerdictAnswer
            {...{ project, impersonation }}
            verification={data}
            linked={linkedRange(search, data)}
            timeZone={shown.timeZone}
            when={describeRange(search)}
          />

          <VerdictFigures
            results={AGENT_RESULTS}
            counts={sumVerdicts(data.series)}
            previous={sumVerdicts(data.previous_series)}
            series={data.series}
            before={before}
            toLink={(result) => listLink(projectId, linkedRange(search, data))({ result })}
          />

          <Card withBorder>
            <TimeChart
              title="Agent visits by verdict"
              series={VERDICT_SERIES}
              items={data.series.map(toChartItem)}
              comparison={toComparedSeries(before, data.previous_series.map(toChartItem))}
              times={{ bucket: data.bucket, projectZone: shown.projectZone, timeZone: shown.timeZone }}
              range={data}
              onNarrow={(range) => change({ ...range, range: undefined })}
              isTable={search.table ?? false}
              onTable={(isTable) => change({ table: isTable || undefined }, true)}
            />
          </Card>
          <TabbedCard
            label="Unverified visits"
            param="show"
            tabs={(['verification_failed', 'not_verifiable'] as const).map((result) => ({
              key: result,
              label: RESULTS[result].label,
              count: formatVisitCount(sumVerdicts(data.series)[result]),
              actions: (
                <Segments
                  label="Rows"
                  value={search.by ?? 'network'}
                  onChange={(by) => change({ by: by === 'network' ? undefined : by }, true)}
                  options={[
                    { value: 'network', label: 'By network' },
                    { value: 'agent', label: 'By agent' },
                  ]}
                />
              ),
              content: (
                <Unverified
                  answer={result === 'verification_failed' ? data : unverifiable}
                  previous={result === 'verification_failed' ? previous : previousUnverifiable}
                  {...{ project, result, before }}
                  isByAgent={search.by === 'agent'}
                  linked={linkedRange(search, data)}
                  timeZone={shown.timeZone}
                />
              ),
            }))}
          />
        </Stack>
      )}
    </RangePage>
  );
}

interface UnverifiedProps {
  project: Project;
  /** Visits with the result. Undefined until they've loaded. */
  answer: Verification | undefined;
  previous: Verification | undefined;
  result: UnverifiedResult;
  before: string | null;
  linked: LinkedRange;
  timeZone: string;
  isByAgent: boolean;
}

/** Content of a tab: the visits with one result, by network or by claimed agent and network. */
function Unverified({ answer, previous, ...props }: UnverifiedProps) {
  const { data: session } = useQuery(sessionQuery);
  if (answer === undefined) return <CardSkeleton />;
  if (answer.spoofs.length === 0) return <Text size="sm">No such visits in this range.</Text>;
  const outdated = answer.reasons.find(({ reason }) => reason === 'list_too_old')?.visits ?? 0;
  return (
    <Stack gap="xs">
      {outdated > 0 && (
        <Group gap="sm">
          <Text size="sm">
            {formatVisitCount(outdated)} couldn’t be verified because an address list is over 7 days old.
          </Text>
          {session?.user?.is_admin && <UpdateLists />}
        </Group>
      )}
      {props.result === 'verification_failed' && <ImpostorRule project={props.project} />}
      {answer.is_sampled && (
        <Text size="xs" c="dimmed">
          Based on the newest {formatCount(MAX_SAMPLED_VISITS)} of these visits.
        </Text>
      )}
      {answer.spoofs.some(({ reason }) => reason === 'expired') && (
        <Lead>
          An expired signature doesn’t prove a fake: the agent’s clock may be wrong, or the request was delayed.
        </Lead>
      )}
      <Suspense fallback={<CardSkeleton />}>
        <UnverifiedTable {...props} spoofs={answer.spoofs} previous={previous?.spoofs} range={answer} />
      </Suspense>
    </Stack>
  );
}

/** Rule for all visits that fail verification, with the reason why its counts differ from the page's. */
function ImpostorRule({ project }: { project: Project }) {
  const blocking = useBlockingRule(project.id, ANY_IMPOSTOR);
  if (blocking === null) return null;
  const { rule, isLive } = blocking;
  return (
    <Group gap="sm">
      <Text size="sm" component="div">
        Your{' '}
        <TextLink
          to="/projects/$projectId/policy/rules/$ruleId"
          params={{ projectId: project.id, ruleId: rule.id }}
          inherit
        >
          “{rule.name}”
        </TextLink>{' '}
        rule {isLive ? 'blocks these visits.' : 'would block these visits, but it’s still in a dry run.'}
        <Help about="the rule’s counts">
          The rule’s page counts fewer visits: only those for which your site asked for a decision and to which no
          earlier rule applied. Requests for robots.txt are never blocked.
        </Help>
      </Text>
      {!isLive && <GoLiveButton project={project} rule={rule} />}
    </Group>
  );
}

/** Requests that fail verification, whichever agent they claim to be. */
const ANY_IMPOSTOR: readonly Requests[] = [
  { agent_token: '', agent_type_name: null, operator_name: null, results: ['verification_failed'] },
];

const toChartItem = ({ time, ...values }: Verification['series'][number]): ChartItem => ({ time, values });

const isEmpty = ({ series, spoofs }: Verification): boolean =>
  spoofs.length === 0 && series.every((item) => item.verified + item.verification_failed + item.not_verifiable === 0);
