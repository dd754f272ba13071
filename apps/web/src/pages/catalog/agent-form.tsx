import { Fieldset, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { agentQuery, type Agent } from '../../api/catalog-queries.js';
import { client, versioned, type Versioned } from '../../api/client.js';
import { ifMatch } from '../../api/if-match.js';
import { ActionForm } from '../../ui/action-form.js';
import { required } from '../../ui/password.js';
import { AGENT_TYPES } from '../../ui/agent-types.js';
import { useRemount } from '../../ui/remount.js';
import { agentFields, agentRecord, fromLines, withToken, type AgentFields } from './agent-record.js';
import { PatternTrial } from './pattern-trial.js';

export interface AgentFormProps {
  /** Null: another one is added. */
  agent: Versioned<Agent> | null;
  /** What another one is filled in with. */
  suggested?: AgentFields;
  /** A project on whose unlisted visits patterns are tried. */
  projectId?: string;
  /** @param token of what was saved. */
  onSaved: (token: string) => void;
}

/** Adds an agent, or changes one. Shows what the server refuses at the field. */
export function AgentForm({ agent, suggested, projectId, onSaved }: AgentFormProps) {
  const queryClient = useQueryClient();
  const form = useForm<AgentFields>({
    initialValues: suggested ?? agentFields(agent),
    validate: { token: required('a name') },
  });
  const base = useRef(agent);
  const remount = useRemount();
  const save = async (fields: AgentFields): Promise<void> => {
    const body = agentRecord(fields, agent);
    const answer =
      agent === null
        ? client.POST('/api/agents', { body })
        : client.PUT('/api/agents/{agent}', {
            params: { path: { agent: agent.id } },
            body,
            ...ifMatch(base.current?.etag ?? null),
          });
    const saved = await versioned(answer);
    queryClient.setQueryData(agentQuery(saved.token).queryKey, saved);
    onSaved(saved.token);
    await queryClient.invalidateQueries({ queryKey: ['catalog'] });
  };
  const lines = (name: keyof AgentFields & string, label: string, description: string) => (
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
      submit={agent === null ? 'Save agent' : 'Save'}
      shared={
        base.current === null
          ? undefined
          : {
              base: base.current,
              adopt: (current) => {
                base.current = current as unknown as Versioned<Agent>;
                queryClient.setQueryData(agentQuery(base.current.token).queryKey, base.current);
              },
              reload: remount,
            }
      }
    >
      <TextInput
        label="Name"
        description={
          agent === null
            ? 'The agent’s name in Agent Traffic. It cannot be changed later.'
            : 'Cannot be changed. Add another agent to use another name.'
        }
        maxLength={200}
        readOnly={agent !== null}
        {...form.getInputProps('token')}
        onChange={({ currentTarget }) =>
          form.setValues((fields) => withToken(fields as AgentFields, currentTarget.value))
        }
      />
      <NativeSelect label="Type" data={AGENT_TYPES} {...form.getInputProps('type')} />
      <TextInput label="Operator" maxLength={200} {...form.getInputProps('operator')} />
      <TextInput label="Documentation" placeholder="https://" type="url" {...form.getInputProps('url')} />
      {lines(
        'user_agent_patterns',
        'User-Agent patterns',
        'One per line: plain text such as ShopBot, or an expression such as \\bShopBot\\/\\d. Case is ignored.',
      )}
      {projectId !== undefined && (
        <PatternTrial projectId={projectId} patterns={fromLines(form.values.user_agent_patterns)} />
      )}
      {lines(
        'sample_user_agents',
        'Sample User-Agents',
        'For each pattern above, a User-Agent that it matches. Not needed if all patterns are plain text.',
      )}
      <TextInput
        label="Token in robots.txt"
        description="Leave empty if the agent has none"
        {...form.getInputProps('robots_token')}
      />
      <Fieldset legend="Verification" variant="filled">
        <Stack gap="sm">
          {lines('signature_agents', 'Web Bot Auth', 'Host names of its key directories, one per line')}
          {lines('reverse_dns_suffixes', 'DNS', 'Endings of its host names, such as bots.example.com')}
          {lines(
            'ip_list_urls',
            'Published address lists',
            'One https address per line, followed by the format unless it is json-prefixes: text, csv-geofeed, json or json:<JSONPath>',
          )}
          {lines('ip_ranges', 'Address ranges', 'Such as 192.0.2.0/24, one per line. They are treated as current.')}
        </Stack>
      </Fieldset>
    </ActionForm>
  );
}
