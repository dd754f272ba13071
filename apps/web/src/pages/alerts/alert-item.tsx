import { Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { alertsKey, type Alert, type AlertKind } from '../../api/alerts.js';
import { client, data } from '../../api/client.js';
import { notify } from '../../notices/notices.js';
import { Failure } from '../../ui/failure.js';
import { Icon } from '../../ui/icon.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { RowMenu } from '../../ui/row-menu.js';
import { Sparkline } from '../../ui/sparkline.js';
import { useClock } from '../../ui/use-clock.js';
import list from '../../ui/list.module.css';
import { formatCondition, getScopeName } from './alert-text.js';
import classes from './alert-item.module.css';

const MUTED_HOURS = 24;
const HOUR_MS = 3_600_000;

type AlertChange = { is_enabled: boolean } | { muted_until: string | null };

interface AlertItemProps {
  projectId: string;
  alert: Alert;
  kind: AlertKind;
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
  const { projectId, alert, kind, isOwner, isFormOpen, isEdited } = props;
  const now = useClock();
  const queryClient = useQueryClient();
  const params = { path: { id: projectId, alertId: alert.id } };
  const refresh = () => queryClient.invalidateQueries({ queryKey: alertsKey(projectId) });
  const scope = getScopeName(alert);
  const name = scope === null ? kind.label : `${kind.label}: ${scope}`;
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
  const isMuted = alert.muted_until !== null && Date.parse(alert.muted_until) > now;
  const isOff = alert.state === 'off';
  const muteEnd = new Date(now + MUTED_HOURS * HOUR_MS).toISOString();
  const before = { muted_until: alert.muted_until };
  const unmuted = `Unmuted “${name}”.`;
  const paused = `Paused “${name}”.`;
  const resumed = `Resumed “${name}”.`;
  const firedCount = alert.daily_events.reduce((sum, events) => sum + events, 0);
  return (
    <li className={list['item']}>
      <div className={classes['row']}>
        <State state={alert.state} isMuted={isMuted} />
        <div className={classes['name']}>
          <Text size="sm" fw={500} title={kind.sentence}>
            {name}
          </Text>
          <Text size="xs" c="dimmed">
            {formatCondition(kind, alert)}
            {alert.channel_ids !== null &&
              ` · sent to ${alert.channel_ids.length} ${alert.channel_ids.length === 1 ? 'channel' : 'channels'}`}
            {isMuted && (
              <>
                {' · '}muted, ends <RelativeTime time={alert.muted_until!} />
              </>
            )}
          </Text>
        </div>
        <div className={classes['history']}>
          {firedCount > 0 && (
            <Sparkline values={alert.daily_events} label={`${name} fired ${firedCount} times in the last 30 days`} />
          )}
        </div>
        <div className={classes['fired']}>
          {alert.last_fired_at === null ? (
            'never fired'
          ) : (
            <>
              fired <RelativeTime time={alert.last_fired_at} />
            </>
          )}
        </div>
        {isOwner && (
          <div className={classes['menu']}>
            <RowMenu
              name={name}
              actions={[
                { label: 'Edit', onClick: props.onEdit, isDisabled: isFormOpen },
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
      {action.isError && <Failure error={action.error} />}
    </li>
  );
}

function State({ state, isMuted }: { state: Alert['state']; isMuted: boolean }) {
  const { icon, label } = {
    firing: { icon: 'failed', label: 'Firing' },
    ok: isMuted ? { icon: 'bell', label: 'Muted' } : { icon: 'check', label: 'OK' },
    off: { icon: 'pause', label: 'Paused' },
  }[state] as { icon: 'failed' | 'bell' | 'check' | 'pause'; label: string };
  return (
    <span className={classes['state']} data-state={isMuted && state === 'ok' ? 'muted' : state}>
      <Icon name={icon} size={16} />
      {label}
    </span>
  );
}
