import { Alert as Note, Button, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Fragment, lazy, Suspense, useState, type ReactNode } from 'react';
import {
  alertChannelsQuery,
  alertEventsQuery,
  alertsQuery,
  type Alert,
  type AlertChannel,
  type AlertEvent,
  type AlertKind,
} from '../../api/alerts.js';
import { projectQuery } from '../../api/queries.js';
import { formatTime } from '../../format/time.js';
import { Answer } from '../../ui/answer.js';
import { CardSkeleton } from '../../ui/card-skeleton.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Failure } from '../../ui/failure.js';
import { toPageLink } from '../../ui/page-link.js';
import { PageHeader } from '../../ui/page-header.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';
import { TextLink } from '../../ui/text-link.js';
import list from '../../ui/list.module.css';
import { AlertItem } from './alert-item.js';
import { getAlertName } from './alert-text.js';
import { DayAxis } from './day-strip.js';
import { Suggestions } from './suggestions.js';
import item from './alert-item.module.css';

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
  const { channels = [] } = useQuery(alertChannelsQuery(projectId)).data ?? {};
  const { data: events = [] } = useQuery(alertEventsQuery(projectId));
  const isOwner = (project.role ?? 'owner') === 'owner';
  const { alerts = [], kinds = [], evaluated_until: until } = query.data ?? {};
  const formatClock = (time: string): string => formatTime(time, project.time_zone, { timeStyle: 'short' });
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
      {query.isPending && (
        <>
          <Skeleton h={64} animate={false} />
          <CardSkeleton rows={5} />
        </>
      )}
      {query.isError && (
        <Failure title="Couldn't load the alerts" error={query.error} retry={() => void query.refetch()} />
      )}
      {query.isSuccess && (
        <Summary alerts={alerts} kinds={kinds} events={events}>
          <ChannelNote projectId={projectId} channels={channels} isOwner={isOwner} />
        </Summary>
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
            <>
              Checked every 15 minutes
              {until != null && `: last at ${formatClock(until)}, next at ${formatClock(addQuarter(until))}`}
            </>
          }
        >
          {alerts.length === 0 ? (
            <EmptyState title="No alerts">
              {isOwner ? 'Add one of your own, or a suggestion below.' : 'Ask a project owner to add one.'}
            </EmptyState>
          ) : (
            <ul className={list['list']}>
              <li className={`${item['row']} ${item['header']}`} aria-hidden="true">
                <DayAxis days={alerts[0]!.daily_events.length} />
              </li>
              {alerts.map((alert) => (
                <AlertItem
                  key={alert.id}
                  project={project}
                  channels={channels}
                  alert={alert}
                  lastEvent={events.find(({ alert_id: alertId }) => alertId === alert.id)}
                  until={until ?? null}
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
          {isOwner && <Suggestions projectId={projectId} kinds={kinds} alerts={alerts} />}
        </Section>
      )}
      {query.isSuccess && (
        <Suspense fallback={<CardSkeleton rows={5} />}>
          <History project={project} alerts={alerts} kinds={kinds} />
        </Suspense>
      )}
    </Stack>
  );
}

const QUARTER_MS = 900_000;

const addQuarter = (time: string): string => new Date(Date.parse(time) + QUARTER_MS).toISOString();

interface SummaryProps {
  alerts: readonly Alert[];
  kinds: readonly AlertKind[];
  events: readonly AlertEvent[];
  children: ReactNode;
}

/** Lead sentence with the alerts that are firing, or the last one that fired. */
function Summary({ alerts, kinds, events, children }: SummaryProps) {
  const getName = (alert: Alert) =>
    getAlertName(
      kinds.find(({ kind }) => kind === alert.kind)!,
      alert,
    );
  const findEvent = ({ id }: Alert) => events.find(({ alert_id: alertId }) => alertId === id);
  const firing = alerts.filter(({ state }) => state === 'firing');
  const last = alerts
    .filter(({ last_fired_at: at }) => at !== null)
    .toSorted((one, other) => other.last_fired_at!.localeCompare(one.last_fired_at!))[0];
  if (alerts.length === 0) return children;
  return (
    <Answer notes={children}>
      {firing.length > 0 ? (
        <>
          Firing now:{' '}
          {firing.map((alert, index) => (
            <Fragment key={alert.id}>
              {index > 0 && ', '}
              <EventLink event={findEvent(alert)}>{getName(alert)}</EventLink>
            </Fragment>
          ))}
          .
        </>
      ) : last === undefined ? (
        'Nothing is firing, and no alert has fired yet.'
      ) : (
        <>
          Nothing is firing. The last alert was <EventLink event={findEvent(last)}>“{getName(last)}”</EventLink>{' '}
          <RelativeTime time={last.last_fired_at!} />.
        </>
      )}
    </Answer>
  );
}

/** Name of an alert, with a link to the page that shows why it fired. */
const EventLink = ({ event, children }: { event: AlertEvent | undefined; children: ReactNode }) =>
  event === undefined ? (
    children
  ) : (
    <TextLink {...toPageLink(event.path)} inherit>
      {children}
    </TextLink>
  );

/** Warns if alerts aren't sent to anyone, or if channels were turned off after failed deliveries. */
interface ChannelNoteProps {
  projectId: string;
  channels: readonly AlertChannel[];
  isOwner: boolean;
}

function ChannelNote({ projectId, channels, isOwner }: ChannelNoteProps) {
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
        For now, alerts only appear under the bell at the top of each page.{' '}
        {isOwner && settings('Add email or webhook')}
      </>
    );
  if (disabledChannels.length === 0) {
    return <p>{text}</p>;
  }
  return (
    <Note variant="outline" color="red" role="alert">
      <Text size="sm">{text}</Text>
    </Note>
  );
}
