import { Button, Skeleton, Text, Title } from '@mantine/core';
import {
  queryOptions,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import { addAlert, createAlertSettings } from '../../actions/add-alert.js';
import { formatCondition } from '../../actions/alert-condition.js';
import {
  alertPreviewQuery,
  alertPreviewsKey,
  type Alert,
  type AlertKind,
  type AlertPreview,
  type NewAlert,
} from '../../api/alerts.js';
import { seenAgentsQuery } from '../../api/catalog-queries.js';
import { toErrorMessage } from '../../api/client.js';
import { notify } from '../../notices/notices.js';
import { Icon } from '../../ui/icon.js';
import { getAlertName, formatPreview } from './alert-text.js';
import { toCandidates } from './suggested-settings.js';
import classes from './suggestions.module.css';

interface Suggestion {
  kind: NewAlert['kind'];
  /** Token of the agent that the alert is limited to. Omitted for all agents. */
  token?: string;
}

const SUGGESTIONS: readonly Suggestion[] = [
  { kind: 'server_errors' },
  { kind: 'spoofing', token: 'Googlebot' },
  { kind: 'disallowed' },
  { kind: 'spike' },
];

interface SuggestionsProps {
  projectId: string;
  kinds: readonly AlertKind[];
  alerts: readonly Alert[];
}

/** Common alerts to add with one click. Leaves out alerts that the project already has. */
export function Suggestions({ projectId, kinds, alerts }: SuggestionsProps) {
  const queryClient = useQueryClient();
  const { data: seen, isPending } = useQuery(seenAgentsQuery);
  const suggestions = SUGGESTIONS.flatMap(({ kind, token }) => {
    const info = kinds.find((one) => one.kind === kind);
    // Keeps the place of the row while the agent's ID loads.
    const agentId =
      token === undefined
        ? null
        : isPending
          ? token
          : seen?.agents.find((agent) => agent.agent_token === token)?.agent_id;
    const isAdded = alerts.some((alert) => alert.kind === kind && alert.agent_token === (token ?? null));
    if (info === undefined || agentId === undefined || isAdded) return [];
    const alert = createAlertSettings(kind, agentId);
    return {
      info,
      name: getAlertName(info, { agent_token: token ?? null }),
      alert,
      query: suggestedSettingsQuery(queryClient, projectId, info, alert),
    };
  });
  // One after another until one times out, because each one reads a month of visits several times.
  const results = useQueries({
    queries: suggestions.map(({ query }, index) => ({
      ...query,
      enabled:
        !isPending &&
        suggestions
          .slice(0, index)
          .every((before) => queryClient.getQueryState(before.query.queryKey)?.status === 'success'),
    })),
  });
  if (suggestions.length === 0) return null;
  return (
    <div>
      <Title order={3}>Suggestions</Title>
      <ul className={classes['list']} aria-label="Suggested alerts">
        {suggestions.map(({ query, ...suggestion }, index) => (
          <SuggestionRow
            key={suggestion.name}
            projectId={projectId}
            {...suggestion}
            suggested={results[index]?.data}
            // After a preview fails, the later suggestions aren't previewed.
            isLoading={results[index]?.isPending === true && !results.some(({ isError }) => isError)}
            isDisabled={isPending}
            loadSettings={() => queryClient.ensureQueryData(query)}
          />
        ))}
      </ul>
    </div>
  );
}

interface SuggestionRowProps {
  projectId: string;
  info: AlertKind;
  name: string;
  alert: NewAlert;
  /** Undefined until it's loaded, or if loading failed. */
  suggested: SuggestedSettings | undefined;
  isLoading: boolean;
  isDisabled: boolean;
  loadSettings: () => Promise<SuggestedSettings>;
}

function SuggestionRow({
  projectId,
  info,
  name,
  alert,
  suggested,
  isLoading,
  isDisabled,
  loadSettings,
}: SuggestionRowProps) {
  const queryClient = useQueryClient();
  const add = useMutation({
    mutationFn: async () =>
      addAlert(queryClient, projectId, {
        alert: (await loadSettings().catch(() => null))?.alert ?? alert,
        text: `Alert added: ${name}.`,
      }),
    onError: (error) => notify({ text: `Couldn’t add the alert. ${toErrorMessage(error)}` }),
  });
  return (
    <li className={classes['row']}>
      <div>
        <Text size="sm" fw={500}>
          {name}
        </Text>
        <Text size="xs" c="dimmed" component="div" className={classes['condition']!}>
          {isLoading ? (
            <Skeleton h={10} w="70%" my={4} animate={false} />
          ) : (
            formatCondition(info, { ...info.defaults, ...(suggested?.alert ?? alert) })
          )}
        </Text>
      </div>
      <Text size="xs" c="dimmed" component="div" className={classes['fired']!}>
        {suggested !== undefined
          ? formatPreview(suggested.preview.events.length, 30)
          : isLoading && 'Checking the last 30 days …'}
      </Text>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Add alert: ${name}`}
        loading={add.isPending}
        disabled={isDisabled}
        leftSection={<Icon name="plus" size={14} />}
        onClick={() => add.mutate()}
      >
        Add
      </Button>
    </li>
  );
}

interface SuggestedSettings {
  alert: NewAlert;
  preview: AlertPreview;
}

/** Query for the least sensitive settings that would have fired in the last 30 days, or the normal ones if none would have. */
const suggestedSettingsQuery = (queryClient: QueryClient, projectId: string, info: AlertKind, alert: NewAlert) =>
  queryOptions({
    queryKey: [...alertPreviewsKey(projectId), 'suggestion', alert],
    queryFn: async (): Promise<SuggestedSettings> => {
      const previewed: SuggestedSettings[] = [];
      for (const candidate of toCandidates(info, alert)) {
        const preview = await queryClient.fetchQuery(alertPreviewQuery(projectId, candidate));
        if (preview.events.length > 0) return { alert: candidate, preview };
        previewed.push({ alert: candidate, preview });
      }
      return previewed[0]!;
    },
    staleTime: Infinity,
    retry: false,
  });
