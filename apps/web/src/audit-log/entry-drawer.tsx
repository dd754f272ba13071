import { Code, Stack, Text } from '@mantine/core';
import type { AuditEntry } from '../api/audit.js';
import { formatTime } from '../format/time.js';
import { DataTable, type TableColumn } from '../ui/data-table.js';
import { DescriptionList } from '../ui/description-list.js';
import { SideDrawer } from '../ui/side-drawer.js';
import { getActorType, getSubjectName, SUBJECT_LABELS, summarizeEntry, getActorName } from './labels.js';

interface EntryDrawerProps {
  entry: AuditEntry;
  /** Summary of the changes that the values contain. */
  changes: string | undefined;
  timeZone: string;
  onClose: () => void;
}

export default function EntryDrawer({ entry, changes, timeZone, onClose }: EntryDrawerProps) {
  const { actor, subject, operation } = entry;
  return (
    <SideDrawer title={summarizeEntry(entry)} onClose={onClose}>
      <Stack gap="md">
        <DescriptionList
          facts={[
            [
              `When (${timeZone})`,
              <time key="at" dateTime={entry.occurred_at}>
                {formatTime(entry.occurred_at, timeZone, { dateStyle: 'medium', timeStyle: 'medium' })}
              </time>,
            ],
            ['Changes', changes],
            ['Who', getActorName(entry)],
            [
              'Actor type',
              actor.type === 'person' || getActorType(entry) === getActorName(entry) ? null : getActorType(entry),
            ],
            ['IP address', actor.address],
            [SUBJECT_LABELS[subject.type], getSubjectName(entry)],
            ['ID', subject.id],
            ['Project', entry.project_id === subject.id ? null : entry.project_id],
            ['Operation', operation],
            ['Request ID', actor.request_id],
          ]}
        />
        <Values entry={entry} />
      </Stack>
    </SideDrawer>
  );
}

function Values({ entry: { change, before, after } }: { entry: AuditEntry }) {
  const fieldNames = Object.keys({ ...before, ...after }).toSorted();
  if (fieldNames.length === 0) return null;
  const isChange = change === 'changed';
  const columns: TableColumn<string>[] = [
    { key: 'field', label: 'Field', isHead: true, cell: (name) => name.replaceAll('_', ' '), style: BREAKABLE },
    ...(isChange ? [valueColumn('Before', before ?? {})] : []),
    isChange ? valueColumn('After', after ?? {}) : valueColumn('Value', after ?? before ?? {}),
  ];
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {isChange ? 'What changed' : 'Values'}
      </Text>
      <DataTable label="Values" columns={columns} rows={fieldNames} rowKey={(name) => name} />
      <Text size="xs" c="dimmed">
        Secrets are never recorded. They appear as [hidden].
      </Text>
    </div>
  );
}

const BREAKABLE = { overflowWrap: 'anywhere' } as const;

const valueColumn = (label: string, values: Record<string, unknown>): TableColumn<string> => ({
  key: label,
  label,
  cell: (name) => {
    const value = values[name] ?? 'none';
    return typeof value === 'object' ? (
      <Code style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{JSON.stringify(value, null, 2)}</Code>
    ) : (
      String(value)
    );
  },
  style: BREAKABLE,
});
