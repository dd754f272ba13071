import { Button, Group } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { addAlert, createAlertSettings } from '../../actions/add-alert.js';
import type { Alert, NewAlert } from '../../api/alerts.js';
import { seenAgentsQuery } from '../../api/catalog-queries.js';
import { toErrorMessage } from '../../api/client.js';
import { notify } from '../../notices/notices.js';
import { Icon } from '../../ui/icon.js';

interface Suggestion {
  label: string;
  kind: NewAlert['kind'];
  /** Token of the agent that the alert is limited to. Omitted for all agents. */
  token?: string;
}

const SUGGESTIONS: readonly Suggestion[] = [
  { label: 'GPTBot comes back', kind: 'new_agent', token: 'GPTBot' },
  { label: 'Someone poses as Googlebot', kind: 'spoofing', token: 'Googlebot' },
  { label: 'An agent ignores robots.txt', kind: 'disallowed' },
  { label: 'Visits drop sharply', kind: 'drop' },
];

interface SuggestionsProps {
  projectId: string;
  alerts: readonly Alert[];
}

/** Buttons that add common alerts with one click, except those that the project already has. */
export function Suggestions({ projectId, alerts }: SuggestionsProps) {
  const queryClient = useQueryClient();
  const { data: seen } = useQuery(seenAgentsQuery);
  const add = useMutation({
    mutationFn: async ({ label, settings }: { label: string; settings: NewAlert }) =>
      notify({
        text: `Alert added: ${label}.`,
        undo: await addAlert(queryClient, projectId, settings),
      }),
    onError: (error) => notify({ text: `Couldn’t add the alert. ${toErrorMessage(error)}` }),
  });
  const suggestions = SUGGESTIONS.flatMap(({ label, kind, token }) => {
    const agentId = token === undefined ? null : seen?.agents.find((agent) => agent.agent_token === token)?.agent_id;
    if (agentId === undefined) return [];
    const isAdded = alerts.some((alert) => alert.kind === kind && alert.agent_id === agentId);
    return isAdded ? [] : [{ label, settings: createAlertSettings(kind, agentId) }];
  });
  if (suggestions.length === 0) return null;
  return (
    <Group gap="xs" role="group" aria-label="Suggested alerts">
      {suggestions.map((suggestion) => (
        <Button
          key={suggestion.label}
          size="compact-sm"
          variant="default"
          disabled={add.isPending}
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => add.mutate(suggestion)}
        >
          {suggestion.label}
        </Button>
      ))}
    </Group>
  );
}
