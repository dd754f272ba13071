import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { assistantQuery, assistantsQuery, type Assistant } from '../../api/assistants.js';
import { client, data, type Versioned } from '../../api/client.js';
import type { ifMatch } from '../../api/if-match.js';
import { parseList, parseLines, joinLines } from '../../format/lines.js';
import { required } from '../../ui/password.js';
import { LinesInput, RecordForm } from '../../ui/record-form.js';

interface AssistantFormProps {
  /** Assistant to edit, or null to add one. */
  assistant: Versioned<Assistant> | null;
  onSaved: (name: string) => void;
}

export function AssistantForm({ assistant, onSaved }: AssistantFormProps) {
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: {
      name: assistant?.name ?? '',
      operator: assistant?.operator ?? '',
      hosts: joinLines(assistant?.hosts ?? []),
      query_values: joinLines(assistant?.query_values ?? []),
      android_apps: joinLines(assistant?.android_apps ?? []),
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
      hosts: parseList(lists.hosts.toLowerCase()),
      query_values: parseLines(lists.query_values.toLowerCase()),
      android_apps: parseList(lists.android_apps),
      ...(assistant?.sources && { sources: assistant.sources }),
    };
    const request =
      assistant === null
        ? client.POST('/api/assistants', { body })
        : client.PUT('/api/assistants/{assistant}', {
            params: { path: { assistant: assistant.id } },
            body,
            ...match,
          });
    const saved = await data(request);
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
          assistant === null ? 'You can’t change it later.' : 'Names can’t be changed. Add a new assistant instead.'
        }
        maxLength={100}
        readOnly={assistant !== null}
        {...form.getInputProps('name')}
      />
      <TextInput
        label="Operator"
        description="Use the catalog’s spelling, so the people sent can be compared with the pages fetched by the operator’s agents"
        maxLength={200}
        {...form.getInputProps('operator')}
      />
      {lines('hosts', 'Hosts', 'Host names in the Referer header, one per line. Subdomains are included.')}
      {lines(
        'query_values',
        'Query values',
        'Values of utm_source, source or ref in links, one per line. You don’t need to repeat the hosts.',
      )}
      {lines('android_apps', 'Android apps', 'Package names, such as com.example.chat, one per line')}
    </RecordForm>
  );
}
