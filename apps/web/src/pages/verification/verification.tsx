import { Card, Code, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { MAX_SAMPLED_VISITS } from '../../api/constants.js';
import { sessionQuery } from '../../api/queries.js';
import { verificationQuery, type Verification } from '../../api/statistics.js';
import { formatCount } from '../../format/count.js';
import { toComparedSeries, type ChartItem } from '../../charts/chart.js';
import { TimeChart } from '../../charts/time-chart.js';
import { VERDICT_SERIES } from '../../charts/verdict-series.js';
import { describeComparison, toComparedRange } from '../../range/comparison.js';
import { describeRange } from '../../range/describe-range.js';
import { linkedRange, type RangeSearch } from '../../range/range.js';
import { RangePage } from '../../range/range-page.js';
import { RangeSkeleton } from '../../range/range-skeleton.js';
import { useRangePage } from '../../range/use-range-page.js';
import { CardSkeleton } from '../../ui/card-skeleton.js';
import { Section } from '../../ui/section.js';
import { TextLink } from '../../ui/text-link.js';
import { UnconfirmedPathNote } from '../../visitor-path/unconfirmed-note.js';
import { VerdictAnswer } from './verdict-answer.js';
import { VerdictCounts } from './verdict-counts.js';

const SpoofTable = lazy(() => import('./spoof-table.js').then((module) => ({ default: module.SpoofTable })));
const route = getRouteApi('/app/projects/$projectId/verification');

export function VerificationPage() {
  const { project, projectId, search, shown, change, head } = useRangePage<RangeSearch>('Verification', route);
  const query = useQuery(verificationQuery(projectId, shown));
  const compared = toComparedRange(shown);
  const { data: previous } = useQuery({
    ...verificationQuery(projectId, { ...(compared ?? shown), compareFrom: 'none' }),
    enabled: compared !== null,
  });
  const before = describeComparison(search, shown.timeZone);
  const { data: session } = useQuery(sessionQuery);
  return (
    <RangePage
      {...head}
      answer={query}
      isCompared
      errorTitle="Couldn't load the verification results"
      isEmpty={isEmpty}
      skeleton={<RangeSkeleton head={70} />}
    >
      {(data) => (
        <Stack>
          <UnconfirmedPathNote project={project} consequence="Until then, “verified” can be forged." />
          <VerdictAnswer
            projectId={projectId}
            verification={data}
            linked={linkedRange(search, data)}
            when={describeRange(search)}
          />
          <VerdictCounts projectId={projectId} verification={data} range={linkedRange(search, data)} before={before} />
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
          <Section
            title="Spoofed"
            lead="Visitors that falsely claimed to be an agent, by claimed agent and actual network."
          >
            {data.is_sampled && (
              <Text size="xs" c="dimmed">
                Based on the newest {formatCount(MAX_SAMPLED_VISITS)} spoofed visits in this range.
              </Text>
            )}
            <Suspense fallback={<CardSkeleton />}>
              <SpoofTable
                project={project}
                spoofs={data.spoofs}
                previous={previous?.spoofs}
                before={before}
                range={data}
                linked={linkedRange(search, data)}
                timeZone={shown.timeZone}
              />
            </Suspense>
            {session?.user?.is_admin && !data.has_network_names && data.spoofs.length > 0 && (
              <Text size="xs" c="dimmed">
                Set <Code>ASN_FILE</Code> to see who operates these networks. See the{' '}
                <TextLink to="/system" hash="network-names">
                  System page
                </TextLink>{' '}
                for instructions.
              </Text>
            )}
          </Section>
        </Stack>
      )}
    </RangePage>
  );
}

const toChartItem = ({ time, ...values }: Verification['series'][number]): ChartItem => ({ time, values });

const isEmpty = ({ series, spoofs }: Verification): boolean =>
  spoofs.length === 0 && series.every((item) => item.verified + item.verification_failed + item.not_verifiable === 0);
