import { Skeleton } from '@mantine/core';

/** Placeholder for the sentences about folders, which need three lines on phones. */
export const UnfetchedFoldersSkeleton = () => <Skeleton h={{ base: 60, sm: 20 }} maw={640} animate={false} />;
