import { Box, Button, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { summariesQuery } from '../api/queries.js';
import { EmptyState } from '../ui/empty-state.js';
import { Failure } from '../ui/failure.js';
import { RelativeTime } from '../ui/relative-time.js';
import { PipelineNotice } from '../ui/pipeline-notice.js';
import { TextLink } from '../ui/text-link.js';
import type { RangeSearch } from './range.js';

/** Lazy-loaded, because only projects without visits need it. */
const DemoData = lazy(async () => ({ default: (await import('../ui/demo-data.js')).DemoData }));

const DAY_MS = 86_400_000;

interface EmptyRangeProps {
  projectId: string;
  onChange: (change: Partial<RangeSearch>) => void;
}

/** Empty state for a range. Links to the reporting instructions, or to the 24 hours up to the last visit. */
export function EmptyRange(props: EmptyRangeProps) {
  return (
    <div>
      <PipelineNotice />
      <EmptyRangeContent {...props} />
    </div>
  );
}

function EmptyRangeContent({ projectId, onChange }: EmptyRangeProps) {
  const { data: summaries, error, refetch } = useQuery(summariesQuery);
  if (error !== null) return <Failure error={error} retry={() => void refetch()} />;
  if (summaries === undefined) return <Skeleton h={160} animate={false} />;
  const last = summaries.find(({ project_id: id }) => id === projectId)?.last_visit_at ?? null;
  if (last === null) {
    return (
      <EmptyState title="No visits yet">
        Visits appear here once your site reports them.{' '}
        <TextLink to="/projects/$projectId/get-started" params={{ projectId }}>
          Learn how to report visits
        </TextLink>
        <Box mt="md">
          <Suspense>
            <DemoData />
          </Suspense>
        </Box>
      </EmptyState>
    );
  }
  const at = Date.parse(last);
  const lastDay = {
    from: new Date(at - DAY_MS).toISOString(),
    to: new Date(at + 60_000).toISOString(),
    range: undefined,
  };
  return (
    <EmptyState title="No visits in this range">
      <Stack align="center" gap="xs">
        <span>
          The last visit was <RelativeTime time={last} />.
        </span>
        <Button size="xs" variant="default" onClick={() => onChange(lastDay)}>
          Show the 24 hours up to then
        </Button>
      </Stack>
    </EmptyState>
  );
}
