import { Skeleton, Stack, type SkeletonProps } from '@mantine/core';
import { CHART_HEIGHT_PX } from '../charts/chart.js';
import { CardSkeleton } from '../ui/card-skeleton.js';

interface RangeSkeletonProps {
  /** Height of the content above the chart. */
  head: SkeletonProps['h'];
  /** Number of table rows. */
  rows?: number;
}

/** Placeholder for a page with a chart and a table. */
export const RangeSkeleton = ({ head, rows = 8 }: RangeSkeletonProps) => (
  <Stack>
    <Skeleton h={head} radius="md" animate={false} />
    <CardSkeleton chart={CHART_HEIGHT_PX + 89} />
    <CardSkeleton rows={rows} />
  </Stack>
);
