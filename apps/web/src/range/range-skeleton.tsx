import { Skeleton, Stack, type SkeletonProps } from '@mantine/core';
import { CHART_HEIGHT_PX } from '../charts/chart.js';
import { CardSkeleton } from '../ui/card-skeleton.js';

interface RangeSkeletonProps {
  /** Height of the content above the chart. */
  head: SkeletonProps['h'];
  /** Height of the chart in pixels. Default: {@link CHART_HEIGHT_PX}. */
  chart?: number;
  /** Number of table rows. */
  rows?: number;
}

/** Placeholder for a page with a chart and a table. */
export const RangeSkeleton = ({ head, chart = CHART_HEIGHT_PX, rows = 8 }: RangeSkeletonProps) => (
  <Stack>
    <Skeleton h={head} radius="md" animate={false} />
    <CardSkeleton chart={chart + 89} />
    <CardSkeleton rows={rows} />
  </Stack>
);
