import { Alert as Note, Button, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { alertChannelsQuery, alertsQuery, type Alert } from '../../api/alerts.js';
import { projectQuery } from '../../api/queries.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Failure } from '../../ui/failure.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';
import { TextLink } from '../../ui/text-link.js';
import list from '../../ui/list.module.css';
import { AlertForm } from './alert-form.js';
import { AlertItem } from './alert-item.js';

const History = lazy(() => import('./history.js').then((module) => ({ default: module.History })));
const route = getRouteApi('/app/projects/$projectId/alerts');

export function AlertsPage() {
  const { projectId } = route.useParams();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  usePageTitle('Alerts', project.name);
  const query = useQuery(alertsQuery(projectId));
  // Alert open in the form, or "new" while one is being added.
  const [editedAlert, setEditedAlert] = useState<Alert | 'new' | null>(null);
  const isOwner = (project.role ?? 'owner') === 'owner';
  const { alerts = [], kinds = [], evaluated_until: until } = query.data ?? {};
  return (
    <Stack maw={900}>
      <Group justify="space-between">
        <Title order={1}>Alerts</Title>
        {isOwner && query.isSuccess && (
          <Button size="sm" disabled={editedAlert !== null} onClick={() => setEditedAlert('new')}>
            Add alert
          </Button>
        )}
      </Group>
      {project.is_demo && (
        <Note variant="outline" color="gray">
          This project contains demo data, so its alerts never fire. Previews still work.
        </Note>
      )}
      <ChannelNote projectId={projectId} isOwner={isOwner} />
      {query.isPending && <Loader size="sm" />}
      {query.isError && (
        <Failure title="Couldn't load the alerts" error={query.error} retry={() => void query.refetch()} />
      )}
      {editedAlert !== null && (
        <AlertForm
          key={editedAlert === 'new' ? 'new' : editedAlert.id}
          project={project}
          kinds={kinds}
          alert={editedAlert === 'new' ? null : editedAlert}
          onClose={() => setEditedAlert(null)}
        />
      )}
      {query.isSuccess && (
        <Section
          title="Your alerts"
          lead={
            until == null ? (
              'Alerts are checked every 15 minutes.'
            ) : (
              <>
                Last checked <RelativeTime time={until} />. Bars show how often each alert fired in the last 30 days.
              </>
            )
          }
        >
          {alerts.length === 0 ? (
            <EmptyState title="No alerts">
              {isOwner ? 'Add one to get notified when something changes.' : 'Ask a project owner to add one.'}
            </EmptyState>
          ) : (
            <ul className={list['list']}>
              {alerts.map((alert) => (
                <AlertItem
                  key={alert.id}
                  projectId={projectId}
                  alert={alert}
                  kind={kinds.find(({ kind }) => kind === alert.kind)!}
                  isOwner={isOwner}
                  edited={editedAlert}
                  onEdit={() => setEditedAlert(alert)}
                />
              ))}
            </ul>
          )}
        </Section>
      )}
      <Suspense fallback={<Loader size="sm" />}>
        <History project={project} />
      </Suspense>
    </Stack>
  );
}

/** Warns if alerts aren't sent to anyone, or if channels were turned off after failed deliveries. */
function ChannelNote({ projectId, isOwner }: { projectId: string; isOwner: boolean }) {
  const { data } = useQuery(alertChannelsQuery(projectId));
  if (data === undefined) return null;
  const { channels } = data;
  const disabledChannels = channels.filter(({ disabled_reason: reason }) => reason !== null);
  const hasNoRecipients = !channels.some(({ is_enabled: isOn }) => isOn);
  if (!hasNoRecipients && disabledChannels.length === 0) return null;
  const settings = (label: string) => (
    <TextLink to="/projects/$projectId/settings" params={{ projectId }} search={{ tab: 'alerts' }}>
      {label}
    </TextLink>
  );
  return (
    <Note
      variant="outline"
      color={disabledChannels.length > 0 ? 'red' : 'gray'}
      {...(disabledChannels.length > 0 && { role: 'alert' })}
    >
      {disabledChannels.length > 0 ? (
        <Text size="sm">
          {disabledChannels.map(({ name }) => name).join(', ')} {disabledChannels.length === 1 ? 'was' : 'were'} turned
          off because deliveries failed{hasNoRecipients && ', so nobody receives alerts'}. {settings('Manage channels')}
        </Text>
      ) : channels.length > 0 ? (
        <Text size="sm">All channels are off, so nobody receives alerts. {settings('Manage channels')}</Text>
      ) : (
        <Text size="sm">
          Alerts appear here, but aren’t sent to anyone yet.{' '}
          {isOwner ? settings('Add a channel') : settings('View channels')}
        </Text>
      )}
    </Note>
  );
}
