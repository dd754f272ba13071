import { Skeleton, Stack, type SkeletonProps } from '@mantine/core';
import { CHART_HEIGHT } from '../charts/chart.js';

/** What a page with a chart will be. @param head how high that is which comes before the chart. */
export const RangeSkeleton = ({ head }: { head: SkeletonProps['h'] }) => (
  <Stack>
    <Skeleton h={head} animate={false} />
    <Skeleton h={CHART_HEIGHT + 120} animate={false} />
    <Skeleton h={320} animate={false} />
  </Stack>
);
