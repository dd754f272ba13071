import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { assistantQuery, assistantsQuery, type Assistant } from '../../api/assistants.js';
import { client, data, type Versioned } from '../../api/client.js';
import type { ifMatch } from '../../api/if-match.js';
import { fromLines, splitLines, toLines } from '../../format/lines.js';
import { required } from '../../ui/password.js';
import { LinesInput, RecordForm } from '../../ui/record-form.js';

interface AssistantFormProps {
  /** Assistant to edit, or null to add one. */
  assistant: Versioned<Assistant> | null;
  onSaved: (name: string) => void;
}

/** Form to add or edit an assistant. */
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
  const save = async (
    { name, operator, ...lists }: typeof form.values,
    match: ReturnType<typeof ifMatch>,
  ): Promise<void> => {
    const body = {
      name: name.trim(),
      operator: operator.trim(),
      hosts: fromLines(lists.hosts.toLowerCase()),
      query_values: splitLines(lists.query_values.toLowerCase()),
      android_apps: fromLines(lists.android_apps),
      ...(assistant?.sources && { sources: assistant.sources }),
    };
    const answer =
      assistant === null
        ? client.POST('/api/assistants', { body })
        : client.PUT('/api/assistants/{assistant}', {
            params: { path: { assistant: assistant.id } },
            body,
            ...match,
          });
    const saved = await data(answer);
    await queryClient.invalidateQueries(assistantsQuery);
    onSaved(saved.name);
  };
  const lines = (name: 'hosts' | 'query_values' | 'android_apps', label: string, description: string) => (
    <LinesInput label={label} description={description} {...form.getInputProps(name)} />
  );
  return (
    <RecordForm
      form={form}
      record={assistant}
      noun="assistant"
      save={save}
      onCurrent={(current) => queryClient.setQueryData(assistantQuery(current.id).queryKey, current)}
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
    </RecordForm>
  );
}
