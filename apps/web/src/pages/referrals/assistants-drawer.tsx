import { Button, Code, Group, Loader, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { assistantQuery, assistantsQuery, type Assistant } from '../../api/assistants.js';
import { client, data } from '../../api/client.js';
import { sessionQuery } from '../../api/queries.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { DescriptionList } from '../../ui/description-list.js';
import { Failure } from '../../ui/failure.js';
import { Icon } from '../../ui/icon.js';
import { describeOrigin } from '../../ui/origin.js';
import { RecordActions } from '../../ui/record-actions.js';
import { SideDrawer } from '../../ui/side-drawer.js';
import { Remountable } from '../../ui/remount.js';
import { TextLink } from '../../ui/text-link.js';
import { AssistantForm } from './assistant-form.js';
import type { ReferralsSearch } from './search.js';

export interface AssistantsDrawerProps {
  shown: NonNullable<ReferralsSearch['assistants']>;
  /** Assistant name, if `shown` is `selected`. */
  name: string | undefined;
  /** Opens another view, or closes the drawer if called without arguments. */
  onOpen: (shown?: ReferralsSearch['assistants'], name?: string) => void;
}

export default function AssistantsDrawer({ shown, name, onOpen }: AssistantsDrawerProps) {
  const { data: session } = useQuery(sessionQuery);
  const mayChange = session?.user?.is_admin ?? false;
  const found = useQuery(assistantsQuery);
  const selected = shown === 'one' ? found.data?.find((assistant) => assistant.name === name) : undefined;
  const isNew = shown === 'new' && mayChange;
  return (
    <SideDrawer
      title={isNew ? 'Add assistant' : shown === 'one' ? (name ?? '') : 'Assistants'}
      onClose={() => onOpen()}
    >
      {found.isPending && <Loader size="sm" />}
      {found.isError && <Failure error={found.error} title="Couldn't load the assistants" />}
      {found.data !== undefined && (
        <Stack gap="md">
          {shown !== 'all' && (
            <Group>
              <Button
                size="compact-sm"
                variant="default"
                leftSection={<Icon name="previous" size={14} />}
                onClick={() => onOpen('all')}
              >
                All assistants
              </Button>
            </Group>
          )}
          {shown === 'all' && <AssistantList assistants={found.data} mayChange={mayChange} onOpen={onOpen} />}
          {isNew && <AssistantForm assistant={null} onSaved={(saved) => onOpen('one', saved)} />}
          {shown === 'one' && selected === undefined && <Text size="sm">There’s no assistant with this name.</Text>}
          {selected !== undefined && (
            <AssistantDetails key={selected.id} assistant={selected} mayChange={mayChange} onOpen={onOpen} />
          )}
        </Stack>
      )}
    </SideDrawer>
  );
}

const getIdentifiers = ({ hosts, query_values: values, android_apps: apps }: Assistant): string[] => [
  ...hosts,
  ...values,
  ...apps,
];

const COLUMNS: readonly TableColumn<Assistant>[] = [
  {
    key: 'name',
    label: 'Assistant',
    isHead: true,
    value: ({ name }) => name,
    cell: (assistant) => (
      <>
        <TextLink
          from="/projects/$projectId/referrals"
          to="."
          search={(before) => ({ ...before, assistants: 'one' as const, name: assistant.name })}
          resetScroll={false}
          size="sm"
        >
          {assistant.name}
        </TextLink>
        {assistant.origin === 'own' && ' (own)'}
        {assistant.is_edited && ' (changed)'}
      </>
    ),
  },
  { key: 'operator', label: 'Operator', value: ({ operator }) => operator },
  {
    key: 'told',
    label: 'Recognized by',
    isFixed: true,
    value: (assistant) => getIdentifiers(assistant).join(' '),
    cell: (assistant) => getIdentifiers(assistant).join(', '),
    style: { overflowWrap: 'anywhere' },
  },
];

interface AssistantListProps {
  assistants: readonly Assistant[];
  mayChange: boolean;
  onOpen: AssistantsDrawerProps['onOpen'];
}

function AssistantList({ assistants, mayChange, onOpen }: AssistantListProps) {
  return (
    <>
      <Text size="sm" c="dimmed">
        A visit is attributed to an assistant if its query string or Referer header contains one of these values.
        Changes only apply to new visits.
      </Text>
      <DataTable
        label="Assistants"
        columns={COLUMNS}
        rows={assistants}
        rowKey={({ id }) => id}
        toolbar={
          mayChange && (
            <Button size="xs" leftSection={<Icon name="plus" size={14} />} onClick={() => onOpen('new')}>
              Add assistant
            </Button>
          )
        }
      />
    </>
  );
}

/** Refetches the assistant before showing the form, so editing starts with the current values. */
function EditAssistant({ id, onSaved }: { id: string; onSaved: () => void }) {
  const { data: assistant, error, isFetchedAfterMount } = useQuery(assistantQuery(id));
  if (error !== null) return <Failure error={error} title="Couldn't load the assistant" />;
  if (assistant === undefined || !isFetchedAfterMount) return <Loader size="sm" />;
  return (
    <Remountable>
      <AssistantForm assistant={assistant} onSaved={onSaved} />
    </Remountable>
  );
}

interface AssistantDetailsProps {
  assistant: Assistant;
  mayChange: boolean;
  onOpen: AssistantsDrawerProps['onOpen'];
}

function AssistantDetails({ assistant, mayChange, onOpen }: AssistantDetailsProps) {
  const [isEditing, setEditing] = useState(false);
  const queryClient = useQueryClient();
  const isOwn = assistant.origin === 'own';
  const remove = async (): Promise<void> => {
    await data(client.DELETE('/api/assistants/{assistant}', { params: { path: { assistant: assistant.id } } }));
    if (isOwn) onOpen('all');
    await queryClient.invalidateQueries(assistantsQuery);
  };
  if (isEditing) return <EditAssistant id={assistant.id} onSaved={() => setEditing(false)} />;
  const codes = (texts: readonly string[]) =>
    texts.length === 0
      ? null
      : texts.map((text) => (
          <div key={text}>
            <Code style={{ overflowWrap: 'anywhere' }}>{text}</Code>
          </div>
        ));
  return (
    <>
      <DescriptionList
        facts={[
          ['Operator', assistant.operator],
          ['Hosts', codes(assistant.hosts)],
          ['Query values', codes(assistant.query_values)],
          ['Android apps', codes(assistant.android_apps)],
          ['Origin', describeOrigin(assistant)],
          ['Sources', assistant.sources?.join(', ')],
        ]}
      />
      {mayChange && (
        <Group gap="xs">
          <RecordActions
            name={assistant.name}
            isOwn={isOwn}
            isEdited={assistant.is_edited}
            onChange={() => setEditing(true)}
            remove={remove}
            consequence={
              isOwn
                ? 'New visits will no longer be attributed to this assistant. Existing visits won’t change.'
                : 'The assistant will be reset to the version included in this release.'
            }
          />
        </Group>
      )}
    </>
  );
}
