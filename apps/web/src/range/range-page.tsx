import { Alert, Box, Group, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Failure } from '../ui/failure.js';
import { NothingInRange } from './nothing-in-range.js';
import { RangePicker } from './range-picker.js';
import type { RangeSearch } from './range.js';
import type { ShownRange } from './use-range.js';

export interface RangePageProps<T> {
  title: string;
  projectId: string;
  search: RangeSearch;
  shown: ShownRange;
  onChange: (change: Partial<RangeSearch>) => void;
  answer: { data: T | undefined; error: Error | null; isPlaceholderData: boolean; refetch: () => Promise<unknown> };
  /** Title of the error message, such as "The overview can't be shown". */
  failed: string;
  /** Returns true if the range has no data. If omitted, `children` handles this case. */
  isEmpty?: (data: T) => boolean;
  /** Placeholder with the height of the content. */
  skeleton: ReactNode;
  /** True if the user can select a comparison range. */
  isCompared?: boolean;
  /** Controls between the heading and the content. */
  filters?: ReactNode;
  children: (data: T) => ReactNode;
}

/** Page about a time range, with its range picker and its loading, error and empty states. */
export function RangePage<T>(props: RangePageProps<T>) {
  const {
    title,
    projectId,
    search,
    shown,
    onChange,
    answer,
    failed,
    isEmpty,
    isCompared,
    skeleton,
    filters,
    children,
  } = props;
  const { data, error, refetch } = answer;
  return (
    <Stack>
      <Group justify="space-between" align="start" gap="xs">
        <Title order={1}>{title}</Title>
        <RangePicker search={search} shown={shown} onChange={onChange} isCompared={isCompared ?? false} />
      </Group>
      {filters}
      {error !== null && <Failure error={error} title={failed} retry={() => void refetch()} />}
      {error !== null && data !== undefined && (
        <Alert variant="outline" color="gray">
          Showing the last known data.
        </Alert>
      )}
      {data === undefined && error === null && <div aria-busy="true">{skeleton}</div>}
      {data !== undefined &&
        (isEmpty?.(data) ? (
          <NothingInRange projectId={projectId} onChange={onChange} />
        ) : (
          <Box aria-busy={answer.isPlaceholderData} opacity={answer.isPlaceholderData ? 0.6 : 1}>
            {children(data)}
          </Box>
        ))}
    </Stack>
  );
}
