import { Skeleton, Stack, type SkeletonProps } from '@mantine/core';
import { CHART_HEIGHT_PX } from '../charts/chart.js';
import { CardSkeleton } from '../ui/card-skeleton.js';

/** Placeholder for a page with a chart. @param head Height of the content above the chart. */
export const RangeSkeleton = ({ head }: { head: SkeletonProps['h'] }) => (
  <Stack>
    <Skeleton h={head} radius="md" animate={false} />
    <CardSkeleton chart={CHART_HEIGHT_PX + 89} />
    <CardSkeleton />
  </Stack>
);
