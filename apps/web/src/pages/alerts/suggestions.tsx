import { Button, Group } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { addAlert, createAlertSettings } from '../../actions/add-alert.js';
import { alertPreviewQuery, type Alert, type AlertKind, type NewAlert } from '../../api/alerts.js';
import { seenAgentsQuery } from '../../api/catalog-queries.js';
import { toErrorMessage } from '../../api/client.js';
import { notify } from '../../notices/notices.js';
import { Icon } from '../../ui/icon.js';
import { getAlertName } from './alert-text.js';

interface Suggestion {
  kind: NewAlert['kind'];
  /** Token of the agent that the alert is limited to. Omitted for all agents. */
  token?: string;
}

const SUGGESTIONS: readonly Suggestion[] = [
  { kind: 'new_agent', token: 'GPTBot' },
  { kind: 'spoofing', token: 'Googlebot' },
  { kind: 'disallowed' },
  { kind: 'drop' },
];

interface SuggestionsProps {
  projectId: string;
  kinds: readonly AlertKind[];
  alerts: readonly Alert[];
}

/** Buttons that add common alerts with one click, except those that the project already has. */
export function Suggestions({ projectId, kinds, alerts }: SuggestionsProps) {
  const queryClient = useQueryClient();
  const { data: seen } = useQuery(seenAgentsQuery);
  const add = useMutation({
    mutationFn: async ({ name, info, alert }: { name: string; info: AlertKind; alert: NewAlert }) =>
      addAlert(queryClient, projectId, {
        alert: await lowerThreshold(info, alert),
        text: `Alert added: ${name}.`,
      }),
    onError: (error) => notify({ text: `Couldn’t add the alert. ${toErrorMessage(error)}` }),
  });
  /** Returns settings with the threshold for a high sensitivity if the alert would have fired only with that one. */
  const lowerThreshold = async (info: AlertKind, alert: NewAlert): Promise<NewAlert> => {
    const threshold = info.sensitivities?.high.threshold;
    if (info.test !== 'count' || alert.threshold !== undefined || threshold === undefined) return alert;
    const preview = await queryClient.fetchQuery(alertPreviewQuery(projectId, alert)).catch(() => null);
    const hasFired = preview === null || preview.events.length > 0;
    return !hasFired && preview.chart.some(({ value }) => value >= threshold) ? { ...alert, threshold } : alert;
  };
  const suggestions = SUGGESTIONS.flatMap(({ kind, token }) => {
    const info = kinds.find((one) => one.kind === kind);
    const agentId = token === undefined ? null : seen?.agents.find((agent) => agent.agent_token === token)?.agent_id;
    const isAdded = alerts.some((alert) => alert.kind === kind && alert.agent_id === agentId);
    if (info === undefined || agentId === undefined || isAdded) return [];
    return {
      info,
      name: getAlertName(info, { agent_token: token ?? null }),
      alert: createAlertSettings(kind, agentId),
    };
  });
  if (suggestions.length === 0) return null;
  return (
    <Group gap="xs" role="group" aria-label="Suggested alerts">
      {suggestions.map((suggestion) => (
        <Button
          key={suggestion.name}
          size="compact-sm"
          variant="default"
          h="auto"
          mih={26}
          maw="100%"
          styles={{ label: { whiteSpace: 'normal' } }}
          disabled={add.isPending}
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => add.mutate(suggestion)}
        >
          {suggestion.name}
        </Button>
      ))}
    </Group>
  );
}
