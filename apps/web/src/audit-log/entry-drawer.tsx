import { Code, Stack, Table, Text } from '@mantine/core';
import type { AuditEntry } from '../api/audit.js';
import { DescriptionList } from '../ui/description-list.js';
import { SideDrawer } from '../ui/side-drawer.js';
import { kindOfActor, SUBJECTS, whatHappened, whoDidIt } from './words.js';

/** One entry of the audit log: who, from where, and the values before and after. */
export default function EntryDrawer({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
  const { actor, subject, operation } = entry;
  return (
    <SideDrawer title={whatHappened(entry)} onClose={onClose}>
      <Stack gap="md">
        <DescriptionList
          facts={[
            ['When', <time key="at">{entry.occurred_at}</time>],
            ['Who', whoDidIt(entry)],
            ['By', actor.type === 'person' || kindOfActor(entry) === whoDidIt(entry) ? null : kindOfActor(entry)],
            ['From', actor.address],
            [SUBJECTS[subject.type], subject.name],
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
  const names = Object.keys({ ...before, ...after }).toSorted();
  if (names.length === 0) return null;
  const isChange = change === 'changed';
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {isChange ? 'What changed' : 'Values'}
      </Text>
      <Table layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Field</Table.Th>
            {isChange && <Table.Th scope="col">Before</Table.Th>}
            <Table.Th scope="col">{isChange ? 'After' : 'Value'}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {names.map((name) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" fw={400} style={BROKEN}>
                {name.replaceAll('_', ' ')}
              </Table.Th>
              {isChange && <Value value={before?.[name]} />}
              <Value value={isChange ? after?.[name] : (after ?? before)?.[name]} />
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="xs" c="dimmed">
        Secrets are never recorded: [hidden] stands for one.
      </Text>
    </div>
  );
}

const BROKEN = { overflowWrap: 'anywhere' } as const;

function Value({ value }: { value: unknown }) {
  return (
    <Table.Td style={BROKEN}>
      {value === undefined || value === null ? (
        'none'
      ) : typeof value === 'object' ? (
        <Code style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{JSON.stringify(value, null, 2)}</Code>
      ) : (
        String(value)
      )}
    </Table.Td>
  );
}
