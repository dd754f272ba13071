import { Skeleton } from '@mantine/core';

/** Placeholder for the sentence on top of the page. */
export const AnswerSkeleton = () => <Skeleton h={56} animate={false} role="status" aria-label="Loading" />;
