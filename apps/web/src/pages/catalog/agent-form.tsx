import { Fieldset, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { agentQuery, type Agent } from '../../api/catalog-queries.js';
import { client, versioned, type Versioned } from '../../api/client.js';
import type { ifMatch } from '../../api/if-match.js';
import { splitLines } from '../../format/lines.js';
import { required } from '../../ui/password.js';
import { AGENT_TYPES } from '../../ui/agent-types.js';
import { LinesInput, RecordForm } from '../../ui/record-form.js';
import { agentFields, agentRecord, withToken, type AgentFields } from './agent-record.js';
import { PatternTrial } from './pattern-trial.js';

interface AgentFormProps {
  /** Agent to edit, or null for a new one. */
  agent: Versioned<Agent> | null;
  /** Initial values of a new agent. */
  suggested?: AgentFields;
  /** Project whose unlisted visits the patterns are tested against. */
  projectId?: string;
  /** @param token Token of the saved agent. */
  onSaved: (token: string) => void;
}

/** Form that adds or edits an agent. Server errors are shown next to the fields. */
export function AgentForm({ agent, suggested, projectId, onSaved }: AgentFormProps) {
  const queryClient = useQueryClient();
  const form = useForm<AgentFields>({
    initialValues: suggested ?? agentFields(agent),
    validate: { token: required('a name') },
  });
  const save = async (fields: AgentFields, match: ReturnType<typeof ifMatch>): Promise<void> => {
    const body = agentRecord(fields, agent);
    const answer =
      agent === null
        ? client.POST('/api/agents', { body })
        : client.PUT('/api/agents/{agent}', {
            params: { path: { agent: agent.id } },
            body,
            ...match,
          });
    const saved = await versioned(answer);
    queryClient.setQueryData(agentQuery(saved.token).queryKey, saved);
    onSaved(saved.token);
    await queryClient.invalidateQueries({ queryKey: ['catalog'] });
  };
  const lines = (name: keyof AgentFields & string, label: string, description: string) => (
    <LinesInput label={label} description={description} {...form.getInputProps(name)} />
  );
  return (
    <RecordForm
      form={form}
      record={agent}
      noun="agent"
      save={save}
      onCurrent={(current) => queryClient.setQueryData(agentQuery(current.token).queryKey, current)}
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
        <PatternTrial projectId={projectId} patterns={splitLines(form.values.user_agent_patterns)} />
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
    </RecordForm>
  );
}
