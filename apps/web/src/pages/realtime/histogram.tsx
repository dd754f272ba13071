import { Card, Group, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure, useThrottledCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import type { HistogramMinute } from '../../api/client.js';
import { histogramQuery } from '../../api/queries.js';
import { formatCount } from '../../format/count.js';
import { Failure } from '../../ui/failure.js';
import { isFiltered, toTimelineQuery, type Filters } from '../../filters/visit-filters.js';
import { selectLevels } from '../../charts/bar-geometry.js';
import { listLink } from '../../range/list-link.js';
import { Answer } from '../../ui/answer.js';
import { TextLink } from '../../ui/text-link.js';
import { hourAndMinute, type MinutesProps } from './minutes.js';
import { formatRate } from './rate.js';
import classes from './histogram.module.css';

const MinuteTable = lazy(() => import('./minute-table.js'));

const HEIGHT = 72;
const MINUTE_MS = 60_000;

/** Minimum interval between refetches triggered by new visits. */
const REFETCH_INTERVAL_MS = 2_000;

interface HistogramProps {
  projectId: string;
  timeZone: string;
  filters: Filters;
  /** Number of visits received so far. An increase triggers a refetch. 0 disables refetching. */
  receivedCount: number;
}

/** Shows the matching visits from the last 60 minutes as a sentence, and as a chart or table. */
export function Histogram({ projectId, timeZone, filters, receivedCount: arrived }: HistogramProps) {
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
  const total = minutes.reduce((sum, { visits }) => sum + visits, 0);
  return (
    <>
      <Answer>
        <LastHour minutes={minutes} filters={filters} projectId={projectId} />
      </Answer>
      <Card withBorder component="figure" className={classes['figure']!}>
        <Group component="figcaption" justify="space-between" gap="xs" mb={6}>
          <Text size="xs" c="dimmed" className="numbers">
            Visits per minute{total > 0 && ` (average: ${formatRate(total / 60)})`}
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
          <Bars minutes={minutes} timeZone={timeZone} />
        )}
      </Card>
    </>
  );
}

interface LastHourProps extends Pick<HistogramProps, 'projectId' | 'filters'> {
  minutes: readonly HistogramMinute[];
}

/** Sentence such as "63 visits in the last 60 minutes, 41 verified, 2 failed verification." */
function LastHour({ minutes, filters, projectId }: LastHourProps) {
  const [visits, verified, failed] = (['visits', 'verified', 'verification_failed'] as const).map((name) =>
    minutes.reduce((total, minute) => total + minute[name], 0),
  ) as [number, number, number];
  const [first, last] = [minutes[0], minutes.at(-1)];
  if (first === undefined || last === undefined) return 'Counting visits in the last 60 minutes.';
  const range = { from: first.time, to: new Date(Date.parse(last.time) + MINUTE_MS).toISOString() };
  const matching = isFiltered(filters) ? 'matching ' : '';
  if (visits === 0) return `No ${matching}visits in the last 60 minutes.`;
  const { visit: _visit, ...rest } = filters;
  const { chips = {} } = rest;
  return (
    <>
      {formatCount(visits)} {matching}
      {visits === 1 ? 'visit' : 'visits'} in the last 60 minutes, {formatCount(verified)} verified,{' '}
      {failed === 0 || rest.result !== undefined || chips.result !== undefined ? (
        `${formatCount(failed)} failed verification`
      ) : (
        <TextLink {...listLink(projectId, range)({ ...rest, result: 'verification_failed' })} c="var(--failed)" inherit>
          {formatCount(failed)} failed verification
        </TextLink>
      )}
      .
    </>
  );
}

function Bars({ minutes, timeZone }: MinutesProps) {
  const maxVisits = Math.max(1, ...minutes.map(({ visits }) => visits));
  const scale = selectLevels(maxVisits).at(-1)!;
  const height = (visits: number): number => (visits === 0 ? 0 : Math.max(1, (visits / scale) * HEIGHT));
  return (
    <div className={classes['plot']}>
      <div className={`${classes['scale']} numbers`} aria-hidden="true">
        <span>{formatCount(scale)}</span>
        <span>0</span>
      </div>
      <svg
        viewBox={`0 0 ${Math.max(1, minutes.length)} ${HEIGHT}`}
        preserveAspectRatio="none"
        className={classes['bars']}
        role="img"
        aria-label={`Visits per minute, up to ${formatCount(maxVisits)}`}
      >
        {minutes.map(({ time, visits, verified, verification_failed: failed }, index) => (
          <g key={time}>
            <title>{`${hourAndMinute(time, timeZone)}: ${formatCount(visits)} visits, ${formatCount(verified)} verified, ${formatCount(failed)} failed verification`}</title>
            <rect x={index} y={0} width={1} height={HEIGHT} fill="transparent" />
            <rect
              x={index + 0.08}
              y={HEIGHT - height(visits)}
              width={0.84}
              height={height(visits)}
              data-kind="visits"
            />
            <rect
              x={index + 0.08}
              y={HEIGHT - height(verified + failed)}
              width={0.84}
              height={height(verified)}
              data-kind="verified"
            />
            <rect
              x={index + 0.08}
              y={HEIGHT - height(failed)}
              width={0.84}
              height={height(failed)}
              data-kind="failed"
            />
          </g>
        ))}
      </svg>
      <Group justify="space-between" mt={2} className={classes['times']}>
        <Text size="xs" c="dimmed" className="numbers">
          {minutes[0] && hourAndMinute(minutes[0].time, timeZone)}
        </Text>
        <Group gap="sm" aria-hidden="true" className={classes['keys']}>
          {(['verified', 'failed', 'visits'] as const).map((kind) => (
            <Text key={kind} size="xs" c="dimmed" className={classes['key']} data-kind={kind}>
              {{ verified: 'Verified', failed: 'Failed verification', visits: 'Not verifiable or unknown' }[kind]}
            </Text>
          ))}
        </Group>
        <Text size="xs" c="dimmed">
          now, {timeZone}
        </Text>
      </Group>
    </div>
  );
}
