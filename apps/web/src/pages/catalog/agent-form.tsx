import { Fieldset, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { agentQuery, type Agent } from '../../api/catalog-queries.js';
import { client, versioned, type Versioned } from '../../api/client.js';
import type { ifMatch } from '../../api/if-match.js';
import { parseLines } from '../../format/lines.js';
import { required } from '../../ui/password.js';
import { AGENT_TYPES } from '../../ui/agent-types.js';
import { LinesInput, RecordForm } from '../../ui/record-form.js';
import { toAgentFields, toAgentRecord, changeToken, type AgentFields } from '../../catalog/agent-record.js';
import { PatternTrial } from './pattern-trial.js';

interface AgentFormProps {
  /** Agent to edit, or null for a new one. */
  agent: Versioned<Agent> | null;
  /** Initial values for a new agent. */
  suggested?: AgentFields;
  /** Project whose unlisted visits the patterns are tested against. */
  projectId?: string;
  /** @param token Token of the saved agent. */
  onSaved: (token: string) => void;
}

export function AgentForm({ agent, suggested, projectId, onSaved }: AgentFormProps) {
  const queryClient = useQueryClient();
  const form = useForm<AgentFields>({
    initialValues: suggested ?? toAgentFields(agent),
    validate: { token: required('a name') },
  });
  const save = async (fields: AgentFields, match: ReturnType<typeof ifMatch>): Promise<void> => {
    const body = toAgentRecord(fields, agent);
    const request =
      agent === null
        ? client.POST('/api/agents', { body })
        : client.PUT('/api/agents/{agent}', {
            params: { path: { agent: agent.id } },
            body,
            ...match,
          });
    const saved = await versioned(request);
    queryClient.setQueryData(agentQuery(saved.token).queryKey, saved);
    onSaved(saved.token);
    await queryClient.invalidateQueries({ queryKey: ['catalog'] });
  };
  const createLinesInput = (name: keyof AgentFields & string, label: string, description: string) => (
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
            ? 'The agent’s name in Agent Traffic. You can’t change it later.'
            : 'Can’t be changed. To use a different name, add another agent.'
        }
        maxLength={200}
        readOnly={agent !== null}
        {...form.getInputProps('token')}
        onChange={({ currentTarget }) =>
          form.setValues((fields) => changeToken(fields as AgentFields, currentTarget.value))
        }
      />
      <NativeSelect label="Type" data={AGENT_TYPES} {...form.getInputProps('type')} />
      <TextInput label="Operator" maxLength={200} {...form.getInputProps('operator')} />
      <TextInput label="Documentation" placeholder="https://" type="url" {...form.getInputProps('url')} />
      {createLinesInput(
        'user_agent_patterns',
        'User-Agent patterns',
        'One per line: plain text such as ShopBot, or a regular expression such as \\bShopBot\\/\\d. Case is ignored.',
      )}
      {projectId !== undefined && (
        <PatternTrial projectId={projectId} patterns={parseLines(form.values.user_agent_patterns)} />
      )}
      {createLinesInput(
        'sample_user_agents',
        'Sample User-Agents',
        'A matching User-Agent for each pattern above. Not needed if all patterns are plain text.',
      )}
      <TextInput
        label="robots.txt token"
        description="Leave empty if the agent has none"
        {...form.getInputProps('robots_token')}
      />
      <Fieldset legend="Verification" variant="filled">
        <Stack gap="sm">
          {createLinesInput(
            'signature_agents',
            'Web Bot Auth',
            'Host names of the agent’s key directories, one per line',
          )}
          {createLinesInput(
            'reverse_dns_suffixes',
            'DNS',
            'Suffixes of the agent’s host names, such as bots.example.com',
          )}
          {createLinesInput(
            'ip_list_urls',
            'Published address lists',
            'One https URL per line, followed by the format unless it’s json-prefixes: text, csv-geofeed, json or json:<JSONPath>',
          )}
          {createLinesInput(
            'ip_ranges',
            'Address ranges',
            'One per line, such as 192.0.2.0/24. They’re treated as current.',
          )}
        </Stack>
      </Fieldset>
    </RecordForm>
  );
}
