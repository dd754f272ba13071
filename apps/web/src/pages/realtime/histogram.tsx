import { Box, Card, Group, Skeleton, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure, useThrottledCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { describeVisits, IDENTIFICATION_RESULTS, RESULTS, type IdentificationResult } from '#libs/agents/vocabulary';
import type { HistogramMinute } from '../../api/client.js';
import { histogramQuery } from '../../api/queries.js';
import { formatCount, formatVisitCount } from '../../format/count.js';
import { VERDICT_COLORS } from '../../charts/verdict-series.js';
import { Failure } from '../../ui/failure.js';
import { isFiltered, toTimelineQuery, type Filters } from '../../filters/visit-filters.js';
import { countIntervals, selectLevels } from '../../charts/bar-geometry.js';
import { listLink } from '../../range/list-link.js';
import { Answer } from '../../ui/answer.js';
import { Listing } from '../../ui/listing.js';
import { TextLink } from '../../ui/text-link.js';
import { countResults, hourAndMinute, type MinutesProps } from './minutes.js';
import classes from './histogram.module.css';

const MinuteTable = lazy(() => import('./minute-table.js'));
const SeriesKeys = lazy(() => import('../../charts/series-keys.js'));

const HEIGHT = 72;
const MINUTE_MS = 60_000;

/** Results from bottom to top, as in the other charts by verdict. */
const STACK = ['verification_failed', 'not_verifiable', 'verified', 'unknown_agent'] as const;
const LABELS = Object.fromEntries(STACK.map((result) => [result, RESULTS[result].label])) as Record<
  IdentificationResult,
  string
>;
const COLORS: Record<IdentificationResult, string> = { ...VERDICT_COLORS, unknown_agent: 'var(--kind-unknown)' };

/** Minimum interval between refetches triggered by new visits. */
const REFETCH_INTERVAL_MS = 2_000;

interface HistogramProps {
  projectId: string;
  timeZone: string;
  filters: Filters;
  /** Number of visits received so far. An increase triggers a refetch. 0 disables refetching. */
  receivedCount: number;
  /** Filters the page by a result, or excludes it. */
  onFilter: (result: IdentificationResult, isExcluded: boolean) => void;
}

/** Shows the matching visits from the last 60 minutes as a sentence, and as a chart or table. */
export function Histogram({ projectId, timeZone, filters, receivedCount: arrived, onFilter }: HistogramProps) {
  const histogram = useQuery(histogramQuery(projectId, toTimelineQuery(filters)));
  const { refetch } = histogram;
  const refetchThrottled = useThrottledCallback(() => void refetch({ cancelRefetch: false }), REFETCH_INTERVAL_MS);
  useEffect(() => {
    if (arrived > 0) refetchThrottled();
  }, [arrived, refetchThrottled]);
  const [isTable, { toggle }] = useDisclosure();
  if (histogram.isError) {
    return (
      <Failure error={histogram.error} title="Couldn't load the last hour" retry={() => void histogram.refetch()} />
    );
  }
  const minutes = histogram.data ?? [];
  return (
    <>
      {histogram.isPending ? (
        <Box h={{ base: 104, sm: 26 }}>
          <Skeleton h={18} my={4} maw={560} animate={false} />
        </Box>
      ) : (
        <Answer>
          <LastHour minutes={minutes} filters={filters} projectId={projectId} />
        </Answer>
      )}
      <Card withBorder component="figure" className={classes['figure']!}>
        <Group component="figcaption" justify="space-between" gap="xs" mb={6}>
          <Text size="xs" c="dimmed">
            Visits per minute
          </Text>
          <UnstyledButton fz="xs" c="var(--mantine-color-anchor)" onClick={toggle} aria-expanded={isTable}>
            {isTable ? 'Show as chart' : 'Show as table'}
          </UnstyledButton>
        </Group>
        {isTable ? (
          <Suspense>
            <MinuteTable minutes={minutes} timeZone={timeZone} />
          </Suspense>
        ) : (
          <Bars minutes={minutes} timeZone={timeZone} onFilter={onFilter} />
        )}
      </Card>
    </>
  );
}

interface LastHourProps extends Pick<HistogramProps, 'projectId' | 'filters'> {
  minutes: readonly HistogramMinute[];
}

/** Sentence such as "63 visits in the last 60 minutes: 41 verified, 2 failed verification, and 20 unknown." */
function LastHour({ minutes, filters, projectId }: LastHourProps) {
  const [first, last] = [minutes[0], minutes.at(-1)];
  if (first === undefined || last === undefined) return null;
  const counts = minutes.map(countResults);
  const totals = IDENTIFICATION_RESULTS.map((result) => ({
    result,
    visits: counts.reduce((total, count) => total + count[result], 0),
  })).filter(({ visits }) => visits > 0);
  const visits = totals.reduce((total, one) => total + one.visits, 0);
  const range = { from: first.time, to: new Date(Date.parse(last.time) + MINUTE_MS).toISOString() };
  const matching = isFiltered(filters) ? 'matching ' : '';
  if (visits === 0) return `No ${matching}visits in the last 60 minutes.`;
  const { visit: _visit, ...rest } = filters;
  const { chips = {} } = rest;
  return (
    <>
      {formatCount(visits)} {matching}
      {visits === 1 ? 'visit' : 'visits'} in the last 60 minutes
      {rest.result === undefined && chips.result === undefined && (
        <>
          :{' '}
          <Listing
            items={totals.map(({ result, visits: count }) => ({
              key: result,
              content: (
                <TextLink
                  {...listLink(projectId, range)({ ...rest, result })}
                  {...(result === 'verification_failed' && { c: 'var(--failed)' })}
                  inherit
                >
                  {formatCount(count)} {describeVisits(result)}
                </TextLink>
              ),
            }))}
          />
        </>
      )}
      .
    </>
  );
}

function Bars({ minutes, timeZone, onFilter }: MinutesProps & Pick<HistogramProps, 'onFilter'>) {
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const stack = STACK.filter((result) => !hidden.includes(LABELS[result]));
  const sums = minutes.map((minute) => {
    const counts = countResults(minute);
    return stack.reduce((sum, result) => sum + counts[result], 0);
  });
  const maxVisits = Math.max(1, ...sums);
  const levels = selectLevels(maxVisits, countIntervals(HEIGHT));
  const scale = levels.at(-1)!;
  return (
    <div className={classes['plot']}>
      <div className={`${classes['scale']} numbers`} aria-hidden="true">
        {levels.toReversed().map((level) => (
          <span key={level}>{formatCount(level)}</span>
        ))}
      </div>
      <svg
        viewBox={`0 0 ${Math.max(1, minutes.length)} ${HEIGHT}`}
        preserveAspectRatio="none"
        className={classes['bars']}
        role="img"
        aria-label={`Visits per minute, up to ${formatCount(maxVisits)}`}
      >
        {minutes.map((minute, index) => {
          const counts = countResults(minute);
          const shown = stack.filter((result) => counts[result] > 0);
          let top = HEIGHT;
          return (
            <g key={minute.time}>
              <title>
                {[
                  `${hourAndMinute(minute.time, timeZone)}: ${formatVisitCount(minute.visits)}`,
                  ...shown.map((result) => `${formatCount(counts[result])} ${describeVisits(result)}`),
                ].join(', ')}
              </title>
              <rect x={index} y={0} width={1} height={HEIGHT} fill="transparent" />
              {shown.map((result) => {
                const height = Math.max(1, (counts[result] / scale) * HEIGHT);
                top -= height;
                return (
                  <rect key={result} x={index + 0.08} y={top} width={0.84} height={height} fill={COLORS[result]} />
                );
              })}
            </g>
          );
        })}
      </svg>
      <Group justify="space-between" mt={2} className={classes['times']}>
        <Text size="xs" c="dimmed" className="numbers">
          {minutes[0] && hourAndMinute(minutes[0].time, timeZone)}
        </Text>
        <Text size="xs" c="dimmed">
          now, {timeZone}
        </Text>
      </Group>
      <div className={classes['keys']}>
        <Suspense fallback={<Skeleton h={24} animate={false} />}>
          <SeriesKeys
            series={STACK.map((result) => ({
              key: result,
              label: LABELS[result],
              color: COLORS[result],
              onFilter: (isExcluded) => onFilter(result, isExcluded),
            }))}
            hidden={hidden}
            onHidden={setHidden}
            comparison={undefined}
            partial={null}
          />
        </Suspense>
      </div>
    </div>
  );
}
