import { Alert, Button, Group, Text } from '@mantine/core';
import type { ApiError } from '../api/client.js';
import { DataTable, type TableColumn } from './data-table.js';

export interface ConflictProps {
  error: ApiError;
  /** Values that the form was initialized with. */
  base: Readonly<Record<string, unknown>>;
  onOverwrite: () => void;
  onReload: () => void;
}

/** Version conflict alert that shows another user's changes and offers to overwrite or adopt them. */
export default function Conflict({ error: { current = {} }, base, onOverwrite, onReload }: ConflictProps) {
  const names = Object.keys({ ...base, ...current })
    .filter((name) => !HIDDEN_FIELDS.has(name) && JSON.stringify(base[name]) !== JSON.stringify(current[name]))
    .toSorted();
  const columns: readonly TableColumn<string>[] = [
    { key: 'field', label: 'Field', isHead: true, cell: (name) => name.replaceAll('_', ' '), style: BREAKABLE },
    { key: 'before', label: 'Before', cell: (name) => toText(base[name]), style: BREAKABLE },
    { key: 'now', label: 'Now', cell: (name) => toText(current[name]), style: BREAKABLE },
  ];
  return (
    <Alert color="red" variant="outline" title="Someone else changed this while you were editing" role="alert" my="md">
      <Text size="sm">
        Your changes haven't been saved.{' '}
        {names.length === 0
          ? 'The current values match the ones you started with.'
          : 'These values changed after you opened the form:'}
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

const HIDDEN_FIELDS = new Set(['etag', 'changed_at']);
const BREAKABLE = { overflowWrap: 'anywhere' } as const;

function toText(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(toText).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
