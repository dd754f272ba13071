import { Alert, Button, Group, Text } from '@mantine/core';
import type { ApiError } from '../api/client.js';
import { DataTable, type TableColumn } from './data-table.js';

export interface ConflictProps {
  error: ApiError;
  /** Values that the form was filled with. */
  base: Readonly<Record<string, unknown>>;
  onOverwrite: () => void;
  onReload: () => void;
}

/** Alert for a version conflict: shows the changes made by someone else, and offers to overwrite or keep them. */
export default function Conflict({ error: { current = {} }, base, onOverwrite, onReload }: ConflictProps) {
  const names = Object.keys({ ...base, ...current })
    .filter((name) => !UNSEEN.has(name) && JSON.stringify(base[name]) !== JSON.stringify(current[name]))
    .toSorted();
  const columns: readonly TableColumn<string>[] = [
    { key: 'field', label: 'Field', isHead: true, cell: (name) => name.replaceAll('_', ' '), style: BREAKABLE },
    { key: 'before', label: 'Before', cell: (name) => textOf(base[name]), style: BREAKABLE },
    { key: 'now', label: 'Now', cell: (name) => textOf(current[name]), style: BREAKABLE },
  ];
  return (
    <Alert color="red" variant="outline" title="Somebody else changed this meanwhile" role="alert" my="md">
      <Text size="sm">
        Nothing was saved yet.{' '}
        {names.length === 0 ? 'The values are the same as before.' : 'This is what changed since you opened it:'}
      </Text>
      {names.length > 0 && <DataTable label="Changes" columns={columns} rows={names} rowKey={(name) => name} />}
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={onReload}>
          Discard my changes
        </Button>
        <Button size="xs" variant="default" onClick={onOverwrite}>
          Save mine anyway
        </Button>
      </Group>
    </Alert>
  );
}

const UNSEEN = new Set(['etag', 'changed_at']);
const BREAKABLE = { overflowWrap: 'anywhere' } as const;

function textOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(textOf).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
