import { Loader, Text, UnstyledButton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { alertEventsQuery, type Alert, type AlertEvent, type AlertKind } from '../../api/alerts.js';
import { seenAgentsQuery } from '../../api/catalog-queries.js';
import { client, data, type Project } from '../../api/client.js';
import { MAX_ALERT_EVENTS } from '../../api/constants.js';
import { notificationsQuery } from '../../api/notifications.js';
import { AgentMark } from '../../ui/agent-mark.js';
import { Failure } from '../../ui/failure.js';
import { Icon } from '../../ui/icon.js';
import { toPageLink } from '../../ui/page-link.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';
import { Segments } from '../../ui/segments.js';
import type { Column } from '../../ui/sorting.js';
import { ExportButton } from '../../ui/table-tools.js';
import { describeLength, formatEventTime, groupEvents } from './alert-events.js';
import { getAlertName } from './alert-text.js';
import classes from './history.module.css';

type Order = 'alert' | 'time';

const ORDERS: readonly { value: Order; label: string }[] = [
  { value: 'alert', label: 'By alert' },
  { value: 'time', label: 'By time' },
];
/** Number of each alert's events shown until "Show all" is clicked. */
const MAX_COLLAPSED_EVENTS = 5;

const EXPORTED_COLUMNS: readonly Column<AlertEvent>[] = [
  { key: 'fired', label: 'Fired', isTime: true, value: ({ fired_at: at }) => at },
  { key: 'recovered', label: 'Recovered', isTime: true, value: ({ recovered_at: at }) => at },
  { key: 'what', label: 'What happened', value: ({ text }) => text },
];

interface HistoryProps {
  project: Project;
  alerts: readonly Alert[];
  kinds: readonly AlertKind[];
}

/** Events by alert, or all by time. The alert that fired last comes first. */
export function History({ project, alerts, kinds }: HistoryProps) {
  useMarkAsRead(project.id);
  const events = useQuery(alertEventsQuery(project.id));
  const [order, setOrder] = useState<Order>('alert');
  const getName = ({ alert_id: alertId, kind }: AlertEvent): string =>
    getAlertName(
      kinds.find((one) => one.kind === kind)!,
      alerts.find(({ id }) => id === alertId) ?? {},
    );
  return (
    <Section
      title="History"
      lead={
        <>
          Times in {project.time_zone}
          {events.data?.length === MAX_ALERT_EVENTS && ` · the latest ${MAX_ALERT_EVENTS} events`}
        </>
      }
      actions={
        (events.data?.length ?? 0) > 0 && (
          <>
            <Segments label="Order" options={ORDERS} value={order} onChange={setOrder} />
            <ExportButton columns={EXPORTED_COLUMNS} rows={events.data!} owner={project.name} page="alert history" />
          </>
        )
      }
    >
      {events.isPending && <Loader size="sm" />}
      {events.isError && <Failure error={events.error} retry={() => void events.refetch()} />}
      {events.data?.length === 0 && <Text size="sm">No alerts have fired yet.</Text>}
      {events.data !== undefined && events.data.length > 0 && order === 'time' && (
        <EventList events={events.data} timeZone={project.time_zone} />
      )}
      {events.data !== undefined && order === 'alert' && (
        <div className={classes['groups']}>
          {groupEvents(events.data).map((group) => (
            <Group key={group[0]!.alert_id} name={getName(group[0]!)} events={group} timeZone={project.time_zone} />
          ))}
        </div>
      )}
    </Section>
  );
}

interface GroupProps {
  name: string;
  events: readonly AlertEvent[];
  timeZone: string;
}

function Group({ name, events, timeZone }: GroupProps) {
  return (
    <section className={classes['group']} aria-label={name}>
      <div className={classes['head']}>
        <h3 className={classes['name']}>{name}</h3>
        <span className={classes['count']}>
          {events.length === 1 ? 'once' : `${events.length} times, last`} <RelativeTime time={events[0]!.fired_at} />
        </span>
      </div>
      <EventList events={events} timeZone={timeZone} />
    </section>
  );
}

/** The latest events, and a button that shows the others. */
function EventList({ events, timeZone }: Omit<GroupProps, 'name'>) {
  const [isExpanded, setExpanded] = useState(false);
  return (
    <>
      <ul className={classes['events']}>
        {events.slice(0, isExpanded ? undefined : MAX_COLLAPSED_EVENTS).map((event) => (
          <EventRow key={event.id} event={event} timeZone={timeZone} />
        ))}
      </ul>
      {events.length > MAX_COLLAPSED_EVENTS && (
        <UnstyledButton
          fz="xs"
          mih={24}
          c="var(--mantine-color-anchor)"
          aria-expanded={isExpanded}
          onClick={() => setExpanded(!isExpanded)}
        >
          {isExpanded ? 'Show fewer' : `Show all ${events.length}`}
        </UnstyledButton>
      )}
    </>
  );
}

function EventRow({ event, timeZone }: { event: AlertEvent; timeZone: string }) {
  const { subject, subject_name: agent, fired_at: firedAt, recovered_at: recoveredAt, path, text } = event;
  const { data: seen } = useQuery(seenAgentsQuery);
  const operator = seen?.agents.find(({ agent_id: id }) => id === subject)?.operator_name;
  return (
    <li className={classes['event']}>
      <time className={`${classes['time']} numbers`} dateTime={firedAt} title={firedAt}>
        {formatEventTime(firedAt, timeZone)}
      </time>
      <span className={classes['mark']}>
        {operator != null && agent !== null && <AgentMark name={agent} operator={operator} size={18} />}
      </span>
      <Link {...toPageLink(path)} className={classes['text']!}>
        {text}
      </Link>
      <span className={classes['length']} data-firing={recoveredAt === null || undefined}>
        {describeLength(event)}
      </span>
      <Icon name="next" size={14} />
    </li>
  );
}

/** Marks the project's notifications as read, because the page lists them. */
function useMarkAsRead(projectId: string): void {
  const queryClient = useQueryClient();
  const { data: list } = useQuery(notificationsQuery);
  const ids = (list?.notifications ?? [])
    .filter(({ project, is_read: isRead }) => project.id === projectId && !isRead)
    .map(({ id }) => id)
    .join(' ');
  useEffect(() => {
    if (ids === '') return;
    const isRead = data(client.POST('/api/account/notifications/read', { body: { ids: ids.split(' ') } }));
    isRead.then(() => queryClient.invalidateQueries({ queryKey: notificationsQuery.queryKey })).catch(() => undefined);
  }, [ids, queryClient]);
}
