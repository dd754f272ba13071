import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { createFileName, type FileRange } from '#libs/csv';
import { toErrorMessage } from '../api/client.js';
import { toCsv, isSortable, type Column, type Sort } from './sorting.js';

/** Owner name in the file names of exports that don't belong to a project. */
const INSTANCE_NAME = 'Agent Traffic';

/** Parts of an export's file name. */
export interface ExportFileName {
  /** Project name. Default: "Agent Traffic". */
  owner: string | undefined;
  /** Row type, such as "agents". */
  page: string;
  /** Date range. Default: the day of the export. */
  range: FileRange | undefined;
}

interface TableToolsProps<T> extends Partial<ExportFileName> {
  columns: readonly Column<T>[];
  sort: Sort | null;
  onSort: (sort: Sort) => void;
  /** Name of the order of unsorted rows. */
  unsorted?: string | undefined;
  /** Rows to export, or a function that fetches them. */
  rows: readonly T[] | (() => Promise<readonly T[]>);
  page: string;
  /** Always shows the sort menu. Default: only on narrow screens, where tables have no column headers. */
  isList?: boolean;
}

export function TableTools<T>({ columns, sort, onSort, unsorted, rows, isList, ...file }: TableToolsProps<T>) {
  return (
    <Group gap="xs" align="end" justify="flex-end">
      {(typeof rows === 'function' || rows.length > 1) && (
        <SortSelect
          columns={columns}
          sort={sort}
          onSort={onSort}
          unsorted={unsorted}
          {...(!isList && { hiddenFrom: 'md' as const, flex: '1 0 12rem' })}
        />
      )}
      <ExportButton columns={columns} rows={rows} {...file} />
    </Group>
  );
}

type ExportButtonProps<T> = Pick<TableToolsProps<T>, 'columns' | 'rows' | 'owner' | 'page' | 'range'>;

/** Button that downloads rows as CSV. */
export function ExportButton<T>({ columns, rows, owner = INSTANCE_NAME, page, range }: ExportButtonProps<T>) {
  const exporting = useMutation({
    mutationFn: async () => {
      const exportedRows = typeof rows === 'function' ? await rows() : rows;
      const day = { from: new Date().toISOString().slice(0, 10) };
      downloadCsv(createFileName(owner, page, range ?? day, 'csv'), toCsv(exportedRows, columns));
    },
  });
  return (
    <>
      <Button size="xs" variant="default" loading={exporting.isPending} onClick={() => exporting.mutate()}>
        Export<span className="unseen"> {page} as CSV</span>
      </Button>
      {exporting.isError && (
        <Text size="sm" c="var(--failed)" role="alert">
          Couldn't export the table. {toErrorMessage(exporting.error)}
        </Text>
      )}
    </>
  );
}

type SortSelectProps<T> = Pick<TableToolsProps<T>, 'columns' | 'sort' | 'onSort' | 'unsorted'> & { hiddenFrom?: 'md' };

function SortSelect<T>({ columns, sort, onSort, unsorted = 'Default order', ...props }: SortSelectProps<T>) {
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
      data={[...(sort === null ? [{ value: '', label: unsorted }] : []), ...options]}
      onChange={({ currentTarget }) => {
        const [direction, key] = currentTarget.value.split(' ') as [Sort['direction'] | '', string?];
        if (direction !== '' && key !== undefined) onSort({ key, direction });
      }}
    />
  );
}

function downloadCsv(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
