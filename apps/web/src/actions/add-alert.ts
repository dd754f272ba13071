import type { QueryClient } from '@tanstack/react-query';
import { linkOptions } from '@tanstack/react-router';
import { alertChannelsQuery, alertsKey, alertsQuery, type Alert, type NewAlert } from '../api/alerts.js';
import { client, data } from '../api/client.js';
import { notify } from '../notices/notices.js';

/** Settings that differ from the kind's defaults, because an alert for one agent should fire at lower numbers. */
const AGENT_SETTINGS: Partial<Record<NewAlert['kind'], Partial<NewAlert>>> = {
  spoofing: { threshold: 5 },
  spike: { minimum: 20 },
  drop: { minimum: 20 },
  errors: { minimum: 20 },
  disallowed: { threshold: 5 },
};

/** Causes of alerts, to complete "Alert me …". */
export const ALERT_CAUSES: Partial<Record<NewAlert['kind'], string>> = {
  spoofing: 'about failed verification',
  spike: 'when visits rise',
  drop: 'when visits fall',
  errors: 'about errors',
  server_errors: 'about server errors',
  disallowed: 'about disallowed fetches',
  robots_missing: 'when robots.txt is missing',
  no_visits: 'when no visits are reported',
  new_agent: 'about new agents',
};

/** Completes "It fires when …". */
export function describeAlert(kind: NewAlert['kind'], name: string | null): string {
  switch (kind) {
    case 'spoofing':
      return `visits claim to be ${name ?? 'an agent'}, but fail verification`;
    case 'spike':
      return `visits by ${name ?? 'agents'} rise sharply`;
    case 'drop':
      return `visits by ${name ?? 'agents'} drop sharply`;
    case 'errors':
      return `${name ?? 'an agent'} gets many errors`;
    case 'server_errors':
      return 'your site returns many server errors';
    case 'disallowed':
      return `${name ?? 'an agent'} fetches disallowed pages`;
    case 'no_visits':
      return 'your site reports no visits';
    default:
      return 'this happens again';
  }
}

/** Returns settings for an alert about a finding. */
export const createAlertSettings = (kind: NewAlert['kind'], agentId: string | null): NewAlert => ({
  kind,
  ...(agentId !== null && { agent_id: agentId, ...AGENT_SETTINGS[kind] }),
});

/** Returns an alert of the same kind and scope, if there is one. */
export const findSameAlert = (
  alerts: readonly Alert[],
  { kind, agent_id: agentId = null, agent_type: type = null, operator = null }: NewAlert,
): Alert | undefined =>
  alerts.find(
    (alert) =>
      alert.kind === kind && alert.agent_id === agentId && alert.agent_type === type && alert.operator === operator,
  );

/** Returns a link to an alert in the project's list. */
export const alertLink = (projectId: string, { id }: Alert) =>
  linkOptions({ to: '/projects/$projectId/alerts', params: { projectId }, hash: id });

/** Adds an alert, unless there is one like it, and shows a notice with `text`, a link and an undo button. */
export async function addAlert(
  queryClient: QueryClient,
  projectId: string,
  { alert, text }: { alert: NewAlert; text: string },
): Promise<void> {
  const path = { id: projectId };
  const { alerts } = await queryClient.fetchQuery(alertsQuery(projectId));
  const existing = findSameAlert(alerts, alert);
  if (existing !== undefined) {
    notify({ text: 'You already have this alert.', link: { label: 'View alert', ...alertLink(projectId, existing) } });
    return;
  }
  const { id } = await data(client.POST('/api/projects/{id}/alerts', { params: { path }, body: alert }));
  const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: alertsKey(projectId) });
  await refresh();
  const { channels } = await queryClient.ensureQueryData(alertChannelsQuery(projectId));
  const isBellOnly = !channels.some(({ is_enabled: isOn }) => isOn);
  const page = { params: { projectId } };
  notify({
    text: isBellOnly ? `${text} It only appears under the bell.` : text,
    link: isBellOnly
      ? { label: 'Add email or webhook', to: '/projects/$projectId/settings', search: { tab: 'alerts' }, ...page }
      : { label: 'View alerts', to: '/projects/$projectId/alerts', ...page },
    undo: async () => {
      await data(client.DELETE('/api/projects/{id}/alerts/{alertId}', { params: { path: { ...path, alertId: id } } }));
      await refresh();
      return 'The alert was deleted.';
    },
  });
}
