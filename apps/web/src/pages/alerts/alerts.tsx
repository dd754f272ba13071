import { Alert as Note, Button, Loader, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { alertChannelsQuery, alertsQuery, type Alert } from '../../api/alerts.js';
import { projectQuery } from '../../api/queries.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Failure } from '../../ui/failure.js';
import { PageHeader } from '../../ui/page-header.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';
import { TextLink } from '../../ui/text-link.js';
import list from '../../ui/list.module.css';
import { AlertItem } from './alert-item.js';

const AlertForm = lazy(() => import('./alert-form.js').then((module) => ({ default: module.AlertForm })));
const History = lazy(() => import('./history.js').then((module) => ({ default: module.History })));
/** Alert in the form: one to edit, one to duplicate, or null for a new one. */
interface OpenForm {
  alert: Alert | null;
  isCopy: boolean;
}

const route = getRouteApi('/app/projects/$projectId/alerts');

export function AlertsPage() {
  const { projectId } = route.useParams();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  usePageTitle('Alerts', project.name);
  const query = useQuery(alertsQuery(projectId));
  const [openForm, setOpenForm] = useState<OpenForm | null>(null);
  const isOwner = (project.role ?? 'owner') === 'owner';
  const { alerts = [], kinds = [], evaluated_until: until } = query.data ?? {};
  return (
    <Stack>
      <PageHeader
        title="Alerts"
        actions={
          isOwner &&
          query.isSuccess && (
            <Button size="sm" disabled={openForm !== null} onClick={() => setOpenForm({ alert: null, isCopy: false })}>
              Add alert
            </Button>
          )
        }
      />
      <ChannelNote projectId={projectId} isOwner={isOwner} />
      {query.isPending && <Loader size="sm" />}
      {query.isError && (
        <Failure title="Couldn't load the alerts" error={query.error} retry={() => void query.refetch()} />
      )}
      <Suspense fallback={<Skeleton h={480} animate={false} />}>
        {openForm !== null && (
          <AlertForm project={project} kinds={kinds} {...openForm} onClose={() => setOpenForm(null)} />
        )}
      </Suspense>
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
                  isFormOpen={openForm !== null}
                  isEdited={openForm?.alert?.id === alert.id && !openForm.isCopy}
                  onEdit={() => setOpenForm({ alert, isCopy: false })}
                  onDuplicate={() => setOpenForm({ alert, isCopy: true })}
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
  const text =
    disabledChannels.length > 0 ? (
      <>
        {disabledChannels.map(({ name }) => name).join(', ')} {disabledChannels.length === 1 ? 'was' : 'were'} turned
        off because deliveries failed{hasNoRecipients && ', so alerts only appear under the bell'}.{' '}
        {settings('Manage channels')}
      </>
    ) : channels.length > 0 ? (
      <>All channels are off, so alerts only appear under the bell. {settings('Manage channels')}</>
    ) : (
      <>
        Alerts appear under the bell at the top of each page.{' '}
        {isOwner && <>To get them by email or in a chat, too, {settings('add a channel')}.</>}
      </>
    );
  if (disabledChannels.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {text}
      </Text>
    );
  }
  return (
    <Note variant="outline" color="red" role="alert">
      <Text size="sm">{text}</Text>
    </Note>
  );
}
