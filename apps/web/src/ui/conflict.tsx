import { Alert, Button, Group, Table, Text } from '@mantine/core';
import type { ApiError } from '../api/client.js';

export interface ConflictProps {
  error: ApiError;
  /** What the form was filled in with. */
  base: Readonly<Record<string, unknown>>;
  onOverwrite: () => void;
  onReload: () => void;
}

/** Somebody else came before a change: what they changed, and what to do about it. */
export default function Conflict({ error: { current = {} }, base, onOverwrite, onReload }: ConflictProps) {
  const names = Object.keys({ ...base, ...current })
    .filter((name) => !UNSEEN.has(name) && JSON.stringify(base[name]) !== JSON.stringify(current[name]))
    .toSorted();
  return (
    <Alert color="red" variant="outline" title="Somebody else changed this meanwhile" role="alert" my="md">
      <Text size="sm">
        Nothing was saved yet.{' '}
        {names.length === 0 ? 'The values are the same as before.' : 'This is what changed since you opened it:'}
      </Text>
      {names.length > 0 && (
        <Table layout="fixed" my="xs" horizontalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Field</Table.Th>
              <Table.Th scope="col">Before</Table.Th>
              <Table.Th scope="col">Now</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {names.map((name) => (
              <Table.Tr key={name}>
                <Table.Th scope="row" fw={400} style={BROKEN}>
                  {name.replaceAll('_', ' ')}
                </Table.Th>
                <Table.Td style={BROKEN}>{textOf(base[name])}</Table.Td>
                <Table.Td style={BROKEN}>{textOf(current[name])}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
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
const BROKEN = { overflowWrap: 'anywhere' } as const;

function textOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(textOf).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
