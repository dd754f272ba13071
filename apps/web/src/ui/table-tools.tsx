import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { fileName, type FileRange } from '#libs/csv';
import { messageOf } from '../api/client.js';
import { csvOf, isSortable, type Column, type Sort } from './sorting.js';

/** Owner of exports that belong to no project. */
const INSTANCE = 'Agent Traffic';

/** Parts of an export's file name. */
export interface ExportName {
  /** Project name. Default: "Agent Traffic". */
  owner: string | undefined;
  /** Kind of rows, such as "agents". */
  page: string;
  /** Date range. Default: the day of the export. */
  range: FileRange | undefined;
}

interface TableToolsProps<T> extends Partial<ExportName> {
  columns: readonly Column<T>[];
  sort: Sort | null;
  onSort: (sort: Sort) => void;
  /** The rows to export, or a function that reads them. */
  rows: readonly T[] | (() => Promise<readonly T[]>);
  page: string;
  /** Always shows the sort menu. Default: only on narrow screens, where tables have no column heads. */
  isList?: boolean;
}

export function TableTools<T>({
  columns,
  sort,
  onSort,
  rows,
  owner = INSTANCE,
  page,
  range,
  isList,
}: TableToolsProps<T>) {
  const saving = useMutation({
    mutationFn: async () => {
      const all = typeof rows === 'function' ? await rows() : rows;
      const day = { from: new Date().toISOString().slice(0, 10) };
      save(fileName(owner, page, range ?? day, 'csv'), csvOf(all, columns));
    },
  });
  return (
    <Group gap="xs" align="end" justify="flex-end">
      {(typeof rows === 'function' || rows.length > 1) && (
        <SortSelect columns={columns} sort={sort} onSort={onSort} {...(!isList && { hiddenFrom: 'md' as const })} />
      )}
      <Button size="xs" variant="default" loading={saving.isPending} onClick={() => saving.mutate()}>
        Export<span className="unseen"> {page} as CSV</span>
      </Button>
      {saving.isError && (
        <Text size="sm" c="var(--failed)" role="alert">
          The export failed. {messageOf(saving.error)}
        </Text>
      )}
    </Group>
  );
}

type SortSelectProps<T> = Pick<TableToolsProps<T>, 'columns' | 'sort' | 'onSort'> & { hiddenFrom?: 'md' };

function SortSelect<T>({ columns, sort, onSort, ...props }: SortSelectProps<T>) {
  const options = columns.filter(isSortable).flatMap(({ key, label, isNumber, isTime }) => {
    const [up, down] = isNumber
      ? ['smallest first', 'largest first']
      : isTime
        ? ['earliest first', 'latest first']
        : ['A to Z', 'Z to A'];
    const options = [
      { value: `ascending ${key}`, label: `${label}, ${up}` },
      { value: `descending ${key}`, label: `${label}, ${down}` },
    ];
    return isNumber || isTime ? options.toReversed() : options;
  });
  return (
    <NativeSelect
      {...props}
      size="xs"
      aria-label="Sort by"
      value={sort === null ? '' : `${sort.direction} ${sort.key}`}
      data={[...(sort === null ? [{ value: '', label: 'Sort by' }] : []), ...options]}
      onChange={({ currentTarget }) => {
        const [direction, key] = currentTarget.value.split(' ') as [Sort['direction'] | '', string?];
        if (direction !== '' && key !== undefined) onSort({ key, direction });
      }}
    />
  );
}

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
