import { Loader, Text, UnstyledButton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { alertEventsQuery, type Alert, type AlertEvent, type AlertKind } from '../../api/alerts.js';
import { seenAgentsQuery } from '../../api/catalog-queries.js';
import { client, data, type Project } from '../../api/client.js';
import { MAX_ALERT_EVENTS } from '../../api/constants.js';
import { notificationsQuery } from '../../api/notifications.js';
import { verificationQuery } from '../../api/statistics.js';
import { AgentActions } from '../../actions/agent-actions.js';
import { useBlockingRule } from '../../actions/use-blocking-rule.js';
import { formatCount } from '../../format/count.js';
import { AgentMark } from '../../ui/agent-mark.js';
import { Failure } from '../../ui/failure.js';
import { Icon } from '../../ui/icon.js';
import { toPageLink } from '../../ui/page-link.js';
import { Section } from '../../ui/section.js';
import type { Column } from '../../ui/sorting.js';
import { ExportButton } from '../../ui/table-tools.js';
import { describeLength, formatEventTime } from './alert-events.js';
import { getAlertName } from './alert-text.js';
import { combineSpoofs } from './combine-spoofs.js';
import classes from './history.module.css';

/** Number of events shown until "Show all" is clicked. */
const MAX_COLLAPSED_EVENTS = 10;

const createExportedColumns = (getName: (event: AlertEvent) => string): readonly Column<AlertEvent>[] => [
  { key: 'fired', label: 'Fired', isTime: true, value: ({ fired_at: at }) => at },
  { key: 'recovered', label: 'Recovered', isTime: true, value: ({ recovered_at: at }) => at },
  { key: 'alert', label: 'Alert', value: getName },
  { key: 'what', label: 'What happened', value: ({ text }) => text },
];

interface HistoryProps {
  project: Project;
  alerts: readonly Alert[];
  kinds: readonly AlertKind[];
}

/** Events of all alerts, newest first. */
export function History({ project, alerts, kinds }: HistoryProps) {
  useMarkAsRead(project.id);
  const events = useQuery(alertEventsQuery(project.id));
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
          <ExportButton
            columns={createExportedColumns(getName)}
            rows={events.data!}
            owner={project.name}
            page="alert history"
          />
        )
      }
    >
      {events.isPending && <Loader size="sm" />}
      {events.isError && <Failure error={events.error} retry={() => void events.refetch()} />}
      {events.data?.length === 0 && <Text size="sm">No alerts have fired yet.</Text>}
      {events.data !== undefined && events.data.length > 0 && (
        <EventList project={project} events={events.data} getName={getName} />
      )}
    </Section>
  );
}

interface EventListProps {
  project: Project;
  events: readonly AlertEvent[];
  /** Returns the name of an event's alert. */
  getName: (event: AlertEvent) => string;
}

/** The latest events, and a button that shows the others. */
function EventList({ project, events, getName }: EventListProps) {
  const [isExpanded, setExpanded] = useState(false);
  return (
    <div>
      <ul className={classes['events']}>
        {events.slice(0, isExpanded ? undefined : MAX_COLLAPSED_EVENTS).map((event) => (
          <EventRow key={event.id} project={project} event={event} name={getName(event)} />
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
    </div>
  );
}

interface EventRowProps {
  project: Project;
  event: AlertEvent;
  /** Name of the alert. */
  name: string;
}

function EventRow({ project, event, name }: EventRowProps) {
  const { subject, subject_name: agent, fired_at: firedAt, recovered_at: recoveredAt, path, text } = event;
  const { data: seen } = useQuery(seenAgentsQuery);
  const operator = seen?.agents.find(({ agent_id: id }) => id === subject)?.operator_name;
  return (
    <li className={classes['event']}>
      <time className={`${classes['time']} numbers`} dateTime={firedAt} title={firedAt}>
        {formatEventTime(firedAt, project.time_zone)}
      </time>
      <span className={classes['alert']}>{name}</span>
      <span className={classes['what']}>
        {operator != null && agent !== null && <AgentMark name={agent} operator={operator} size={18} />}
        <span>
          <Link {...toPageLink(path)} className={classes['text']!}>
            {text}
          </Link>
          {event.kind === 'spoofing' && subject !== null && (
            <EventNetwork project={project} event={event} agentId={subject} />
          )}
        </span>
      </span>
      <span className={classes['length']} data-firing={recoveredAt === null || undefined}>
        {describeLength(event)}
      </span>
      <Icon name="next" size={14} />
    </li>
  );
}

interface EventNetworkProps {
  project: Project;
  event: AlertEvent;
  agentId: string;
}

/** Network behind most of the visits that fired an alert, with a button to block it. */
function EventNetwork({ project, event, agentId }: EventNetworkProps) {
  const search = new URLSearchParams(event.path.split('?')[1]);
  const range = { from: search.get('from') ?? '', to: search.get('to') ?? '' };
  const { data: report, isPending } = useQuery({
    ...verificationQuery(project.id, { ...range, compareFrom: 'none' }),
    staleTime: Infinity,
  });
  const spoofs = report?.spoofs.filter(({ agent_id: id }) => id === agentId) ?? [];
  const spoof = combineSpoofs(spoofs);
  const network = spoof?.network_count === 1 ? spoof.networks[0]?.prefix : undefined;
  const requests =
    spoof === undefined
      ? []
      : [{ ...spoof, results: ['verification_failed' as const], ...(network !== undefined && { network }) }];
  const isBlocked = useBlockingRule(project.id, requests)?.isLive === true;
  if (!isPending && spoof === undefined) return null;
  return (
    <span className={classes['network']}>
      {spoof !== undefined && (
        <>
          {network === undefined
            ? `From ${formatCount(spoof.network_count)} networks`
            : `${spoofs.length > 1 ? 'Mostly' : 'All'} from ${network}`}
          <AgentActions
            project={project}
            loadFinding={async () =>
              (await import('../../actions/agent-findings.js')).toSpoofFinding(spoof, 'verification_failed', {
                range,
                timeZone: project.time_zone,
                visits: toPageLink(event.path),
              })
            }
            of={event.text}
            isCompact
            canBlock={network !== undefined}
            canBlockInDryRun
            hidesRule={!isBlocked}
            requests={requests}
          />
        </>
      )}
    </span>
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
