import { Loader, Text, UnstyledButton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { capitalize } from '#libs/agents/vocabulary';
import { formatCondition } from '../../actions/alert-condition.js';
import {
  alertPreviewQuery,
  alertsKey,
  type Alert,
  type AlertChannel,
  type AlertEvent,
  type AlertKind,
  type AlertPreview as AlertPreviewData,
  type NewAlert,
} from '../../api/alerts.js';
import { client, data, type Project } from '../../api/client.js';
import { formatTime } from '../../format/time.js';
import { notify } from '../../notices/notices.js';
import { Failure } from '../../ui/failure.js';
import { Icon } from '../../ui/icon.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { RowMenu } from '../../ui/row-menu.js';
import { toPageLink } from '../../ui/page-link.js';
import { useClock } from '../../ui/use-clock.js';
import list from '../../ui/list.module.css';
import { countByDay, formatEventTime, getFirstCheck } from './alert-events.js';
import { explainPeriods } from './alert-explanation.js';
import { formatPreview, formatTimes, getAlertName } from './alert-text.js';
import { toAlertBody, toAlertValues } from './alert-values.js';
import { DayStrip } from './day-strip.js';
import classes from './alert-item.module.css';

const AlertPreview = lazy(() => import('./alert-preview.js').then((module) => ({ default: module.AlertPreview })));

const MUTED_HOURS = 24;
const HOUR_MS = 3_600_000;

type AlertChange = { is_enabled: boolean } | { muted_until: string | null };

interface AlertItemProps {
  project: Project;
  alert: Alert;
  kind: AlertKind;
  channels: readonly AlertChannel[];
  /** Latest event, if it's among the loaded ones. */
  lastEvent: AlertEvent | undefined;
  /** Time of the last check of all alerts, or null if there was none. */
  until: string | null;
  isOwner: boolean;
  /** Whether an alert is open in the form. Until the form is closed, no other alert can be edited. */
  isFormOpen: boolean;
  /** Whether this alert is open in the form, so it can't be deleted. */
  isEdited: boolean;
  onEdit: () => void;
  onDuplicate: () => void;
}

/** One-line row with an alert's state, condition and history, and a menu with its actions. */
export function AlertItem(props: AlertItemProps) {
  const { project, alert, kind, channels, lastEvent, until, isOwner, isFormOpen, isEdited } = props;
  const projectId = project.id;
  const isTarget = useLocation({ select: ({ hash }) => hash === alert.id });
  const [isOpen, setOpen] = useState(isTarget);
  const row = useRef<HTMLLIElement>(null);
  // The router can't scroll to an alert that isn't loaded yet.
  useEffect(() => {
    if (isTarget) row.current?.scrollIntoView({ block: 'center' });
  }, [isTarget]);
  const now = useClock();
  const queryClient = useQueryClient();
  const params = { path: { id: projectId, alertId: alert.id } };
  const refresh = () => queryClient.invalidateQueries({ queryKey: alertsKey(projectId) });
  const name = getAlertName(kind, alert);
  const body = toAlertBody(toAlertValues(alert), kind);
  const change = async (body: AlertChange): Promise<void> => {
    await data(client.PATCH('/api/projects/{id}/alerts/{alertId}', { params, body }));
    await refresh();
  };
  const action = useMutation({ mutationFn: (run: () => Promise<void>) => run() });
  const apply = (after: AlertChange, before: AlertChange, text: string, undoneText: string) =>
    action.mutate(async () => {
      await change(after);
      notify({
        text,
        undo: async () => {
          await change(before);
          return undoneText;
        },
      });
    });
  const remove = () =>
    action.mutate(async () => {
      await data(client.DELETE('/api/projects/{id}/alerts/{alertId}', { params }));
      notify({
        text: `Deleted “${name}” and its history.`,
        undo: async () => {
          await data(client.POST('/api/projects/{id}/alerts/{alertId}/restoration', { params, body: {} }));
          await refresh();
          return `Restored “${name}” and its history.`;
        },
      });
      await refresh();
    });
  const destinations = channels.filter(
    ({ id, is_enabled: isOn }) => isOn && (alert.channel_ids === null || alert.channel_ids.includes(id)),
  );
  // A note on the page already says that there are no channels.
  const delivery = channels.some(({ is_enabled: isOn }) => isOn) ? ` · ${describeDelivery(destinations)}` : '';
  const test = async (): Promise<void> => {
    if (destinations.length === 0) {
      notify({
        text: 'This alert only appears under the bell.',
        link: {
          label: 'Add email or webhook',
          to: '/projects/$projectId/settings',
          params: { projectId },
          search: { tab: 'alerts' },
        },
      });
      return;
    }
    const results = await Promise.all(
      destinations.map(async ({ id, name: channel }) => {
        const path = { id: projectId, channelId: id };
        const { state, error } = await data(
          client.POST('/api/projects/{id}/alert-channels/{channelId}/test', { params: { path }, body: {} }),
        );
        return state === 'delivered' ? `${channel} got the test.` : `${channel} didn’t get the test. ${error ?? ''}`;
      }),
    );
    notify({ text: results.join(' ') });
  };
  const isMuted = alert.muted_until !== null && Date.parse(alert.muted_until) > now;
  const isOff = alert.state === 'off';
  const muteEnd = new Date(now + MUTED_HOURS * HOUR_MS).toISOString();
  const before = { muted_until: alert.muted_until };
  const unmuted = `Unmuted “${name}”.`;
  const paused = `Paused “${name}”.`;
  const resumed = `Resumed “${name}”.`;
  const firedCount = alert.daily_events.reduce((sum, events) => sum + events, 0);
  const isQuiet = firedCount === 0 && !isOff;
  // Like the details' preview, without the channels.
  const preview = useQuery({ ...alertPreviewQuery(projectId, { ...body, channel_ids: null }), enabled: isQuiet });
  const days = { days: alert.daily_events.length, now, timeZone: project.time_zone };
  const firstCheck = isOff || alert.last_fired_at !== null ? null : getFirstCheck(alert, until);
  return (
    <li className={list['item']} id={alert.id} ref={row}>
      <div className={classes['row']}>
        <State state={alert.state} isMuted={isMuted} isNew={firstCheck !== null} />
        <div className={classes['name']}>
          <UnstyledButton className={classes['toggle']} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {name}
            <Icon name="chevron" size={14} />
          </UnstyledButton>
          <Text size="xs" c="dimmed">
            {formatCondition(kind, alert)}
            {delivery}
            {isMuted && (
              <>
                {' · '}muted, ends <RelativeTime time={alert.muted_until!} />
              </>
            )}
          </Text>
        </div>
        <DayStrip
          days={alert.daily_events}
          missed={isQuiet && preview.data !== undefined ? countByDay(preview.data, days) : undefined}
          name={name}
          isFiring={alert.state === 'firing'}
        />
        <div className={classes['fired']}>
          <span>
            {alert.last_fired_at === null ? (
              firstCheck === null ? (
                'never fired'
              ) : (
                `first check at ${formatTime(firstCheck, project.time_zone, { timeStyle: 'short' })}`
              )
            ) : (
              <>
                fired <FiredTime time={alert.last_fired_at} timeZone={project.time_zone} />
              </>
            )}
          </span>
          {firedCount > 0 && lastEvent !== undefined ? (
            <Link {...toPageLink(lastEvent.path)} className={classes['what']!}>
              {lastEvent.text}
            </Link>
          ) : (
            isQuiet && <QuietReason kind={kind} body={body} preview={preview} isNew={firstCheck !== null} />
          )}
        </div>
        {isOwner && (
          <div className={classes['menu']}>
            <RowMenu
              name={name}
              actions={[
                { label: 'Edit', onClick: props.onEdit, isDisabled: isFormOpen },
                { label: 'Send a test', onClick: () => action.mutate(test) },
                { label: 'Duplicate', onClick: props.onDuplicate, isDisabled: isFormOpen },
                ...(isOff
                  ? []
                  : [
                      isMuted
                        ? {
                            label: 'Unmute',
                            onClick: () => apply({ muted_until: null }, before, unmuted, `Muted “${name}” again.`),
                          }
                        : {
                            label: `Mute for ${MUTED_HOURS} hours`,
                            onClick: () =>
                              apply(
                                { muted_until: muteEnd },
                                before,
                                `Muted “${name}” for ${MUTED_HOURS} hours.`,
                                unmuted,
                              ),
                          },
                    ]),
                {
                  label: isOff ? 'Resume' : 'Pause',
                  onClick: () =>
                    apply(
                      { is_enabled: isOff },
                      { is_enabled: !isOff },
                      isOff ? resumed : paused,
                      isOff ? paused : resumed,
                    ),
                },
                { label: 'Delete', onClick: remove, isDisabled: isEdited, isDangerous: true },
              ]}
            />
          </div>
        )}
      </div>
      {isOpen && (
        <div className={classes['details']}>
          <Suspense fallback={<Loader size="sm" />}>
            <AlertPreview project={project} kind={kind} body={body} firedCount={firedCount} />
          </Suspense>
        </div>
      )}
      {action.isError && <Failure error={action.error} />}
    </li>
  );
}

interface QuietReasonProps {
  kind: AlertKind;
  body: NewAlert;
  preview: Pick<UseQueryResult<AlertPreviewData>, 'data' | 'isPending'>;
  /** True if the alert hasn't been checked yet. */
  isNew: boolean;
}

/** How close an alert that didn't fire in the last 30 days came to firing. */
function QuietReason({ kind, body, preview: { data: preview, isPending }, isNew }: QuietReasonProps) {
  if (preview !== undefined) {
    // The alert was added or changed after the times when it would have fired.
    const missed = preview.events.length;
    const reason =
      missed > 0
        ? isNew
          ? formatPreview(missed, 30)
          : `Would have fired ${formatTimes(missed)} with its current settings.`
        : capitalize(explainPeriods(kind, { ...kind.defaults, ...body }, preview.chart));
    return <span className={classes['what']}>{reason}</span>;
  }
  return isPending && <span className={classes['what']}>Checking the last 30 days …</span>;
}

/** Relative time, or the date and time if it's more than a day ago. */
function FiredTime({ time, timeZone }: { time: string; timeZone: string }) {
  const isRecent = useClock() - Date.parse(time) < 24 * HOUR_MS;
  return isRecent ? <RelativeTime time={time} /> : <time dateTime={time}>{formatEventTime(time, timeZone)}</time>;
}

/** Returns where an alert is delivered, such as "Bell, Web team". */
function describeDelivery(channels: readonly AlertChannel[]): string {
  if (channels.length === 0) return 'Bell only';
  return `Bell, ${channels[0]!.name}${channels.length === 1 ? '' : ` + ${channels.length - 1}`}`;
}

function State({ state, isMuted, isNew }: { state: Alert['state']; isMuted: boolean; isNew: boolean }) {
  const { icon, label } = {
    firing: { icon: 'failed', label: 'Firing' },
    ok: isMuted
      ? { icon: 'bell', label: 'Muted' }
      : isNew
        ? { icon: 'plus', label: 'New' }
        : { icon: 'check', label: 'OK' },
    off: { icon: 'pause', label: 'Paused' },
  }[state] as { icon: 'failed' | 'bell' | 'check' | 'plus' | 'pause'; label: string };
  return (
    <span className={classes['state']} data-state={(isMuted || isNew) && state === 'ok' ? 'muted' : state}>
      <Icon name={icon} size={16} />
      {label}
    </span>
  );
}
