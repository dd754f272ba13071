import { Skeleton, Stack, type SkeletonProps } from '@mantine/core';
import { CHART_HEIGHT_PX } from '../charts/chart.js';

/** Placeholder for a page with a chart. @param head Height of the content above the chart. */
export const RangeSkeleton = ({ head }: { head: SkeletonProps['h'] }) => (
  <Stack>
    <Skeleton h={head} animate={false} />
    <Skeleton h={CHART_HEIGHT_PX + 120} animate={false} />
    <Skeleton h={320} animate={false} />
  </Stack>
);
