import { Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { assistantQuery, assistantsQuery, type Assistant } from '../../api/assistants.js';
import { client, data, type Versioned } from '../../api/client.js';
import { ifMatch } from '../../api/if-match.js';
import { fromLines, toLines } from '../../format/lines.js';
import { ActionForm } from '../../ui/action-form.js';
import { required } from '../../ui/password.js';
import { useRemount } from '../../ui/remount.js';

export interface AssistantFormProps {
  /** Null: another one is added. */
  assistant: Versioned<Assistant> | null;
  /** @param name of what was saved. */
  onSaved: (name: string) => void;
}

/** Adds an assistant, or changes one. Shows what the server refuses at the field. */
export function AssistantForm({ assistant, onSaved }: AssistantFormProps) {
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: {
      name: assistant?.name ?? '',
      operator: assistant?.operator ?? '',
      hosts: toLines(assistant?.hosts ?? []),
      query_values: toLines(assistant?.query_values ?? []),
      android_apps: toLines(assistant?.android_apps ?? []),
    },
    validate: { name: required('a name'), operator: required('the company behind it') },
  });
  const base = useRef(assistant);
  const remount = useRemount();
  const save = async ({ name, operator, ...lists }: typeof form.values): Promise<void> => {
    const body = {
      name: name.trim(),
      operator: operator.trim(),
      hosts: fromLines(lists.hosts.toLowerCase()),
      query_values: lists.query_values
        .toLowerCase()
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== ''),
      android_apps: fromLines(lists.android_apps),
      ...(assistant?.sources && { sources: assistant.sources }),
    };
    const answer =
      assistant === null
        ? client.POST('/api/assistants', { body })
        : client.PUT('/api/assistants/{assistant}', {
            params: { path: { assistant: assistant.id } },
            body,
            ...ifMatch(base.current?.etag ?? null),
          });
    const saved = await data(answer);
    await queryClient.invalidateQueries(assistantsQuery);
    onSaved(saved.name);
  };
  const lines = (name: 'hosts' | 'query_values' | 'android_apps', label: string, description: string) => (
    <Textarea
      label={label}
      description={description}
      autosize
      minRows={1}
      maxRows={8}
      spellCheck={false}
      {...form.getInputProps(name)}
    />
  );
  return (
    <ActionForm
      form={form}
      action={save}
      submit={assistant === null ? 'Save assistant' : 'Save'}
      shared={
        base.current === null
          ? undefined
          : {
              base: base.current,
              adopt: (current) => {
                base.current = current as unknown as Versioned<Assistant>;
                queryClient.setQueryData(assistantQuery(base.current.id).queryKey, base.current);
              },
              reload: remount,
            }
      }
    >
      <TextInput
        label="Name"
        description={
          assistant === null ? 'It cannot be changed later.' : 'Cannot be changed. Add another assistant instead.'
        }
        maxLength={100}
        readOnly={assistant !== null}
        {...form.getInputProps('name')}
      />
      <TextInput
        label="Operator"
        description="Spelled as in the catalog, so that it is compared with what its agents fetch"
        maxLength={200}
        {...form.getInputProps('operator')}
      />
      {lines('hosts', 'Hosts', 'Host names in the Referer, one per line. Subdomains belong to them.')}
      {lines(
        'query_values',
        'Values in the query',
        'What links have as utm_source, source or ref, one per line. Hosts count without being listed here.',
      )}
      {lines('android_apps', 'Android apps', 'Package names such as com.example.chat, one per line')}
    </ActionForm>
  );
}
