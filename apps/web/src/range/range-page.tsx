import { Alert, Box, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Failure } from '../ui/failure.js';
import { PageHeader } from '../ui/page-header.js';
import { EarlierDataContext, useEarlierData } from './earlier-data.js';
import { EmptyRange } from './empty-range.js';
import { RangePicker, RangeTimes } from './range-picker.js';
import type { RangeSearch } from './range.js';
import type { ShownRange } from './use-range.js';

export interface RangePageProps<T> {
  title: string;
  /** Mark before the title. */
  mark?: ReactNode;
  projectId: string;
  search: RangeSearch;
  shown: ShownRange;
  onChange: (change: Partial<RangeSearch>) => void;
  answer: { data: T | undefined; error: Error | null; isPlaceholderData: boolean; refetch: () => Promise<unknown> };
  /** Error title, such as "Couldn't load the overview". */
  errorTitle: string;
  /** Returns true if the range has no data. If omitted, `children` handles empty ranges. */
  isEmpty?: (data: T) => boolean;
  /** Loading placeholder with the same height as the content. */
  skeleton: ReactNode;
  /** Start of the part of the range that could be analyzed, if it isn't the entire range. */
  coveredFrom?: string | undefined;
  /** Lets the user select a comparison range. */
  isCompared?: boolean;
  /** Page actions, next to the range picker. */
  actions?: ReactNode;
  /** Actions in the title row. Moves the range picker to a separate row. */
  titleActions?: ReactNode;
  /** Controls between the heading and the content. */
  filters?: ReactNode;
  children: (data: T) => ReactNode;
}

/** Page layout with a range picker and loading, error and empty states. */
export function RangePage<T>(props: RangePageProps<T>) {
  const {
    title,
    mark,
    projectId,
    search,
    shown,
    onChange,
    answer,
    errorTitle: failed,
    isEmpty,
    coveredFrom,
    isCompared,
    skeleton,
    actions,
    titleActions,
    filters,
    children,
  } = props;
  const { data, error, refetch } = answer;
  const hasEarlierData = useEarlierData(projectId, data, shown);
  const times = <RangeTimes search={search} shown={shown} coveredFrom={coveredFrom} onChange={onChange} />;
  const picker = (
    <>
      <RangePicker search={search} shown={shown} onChange={onChange} isCompared={isCompared ?? false} />
      {actions}
    </>
  );
  return (
    <Stack>
      {titleActions === undefined ? (
        <PageHeader title={title} mark={mark} lead={times} actions={picker} />
      ) : (
        <>
          <PageHeader title={title} mark={mark} actions={titleActions} />
          <Group justify="space-between" gap="xs">
            <Text component="div" size="xs" c="dimmed">
              {times}
            </Text>
            <Group gap="xs">{picker}</Group>
          </Group>
        </>
      )}
      {filters}
      {error !== null && <Failure error={error} title={failed} retry={() => void refetch()} />}
      {error !== null && data !== undefined && (
        <Alert variant="outline" color="gray">
          Showing the last data that loaded.
        </Alert>
      )}
      {data === undefined && error === null && <div aria-busy="true">{skeleton}</div>}
      {data !== undefined &&
        (isEmpty?.(data) ? (
          <EmptyRange projectId={projectId} onChange={onChange} />
        ) : (
          <Box aria-busy={answer.isPlaceholderData} opacity={answer.isPlaceholderData ? 0.6 : 1}>
            <EarlierDataContext value={hasEarlierData}>{children(data)}</EarlierDataContext>
          </Box>
        ))}
    </Stack>
  );
}
