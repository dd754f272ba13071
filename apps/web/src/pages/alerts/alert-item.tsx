import { Badge, Button, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { alertsKey, type Alert, type AlertKind } from '../../api/alerts.js';
import { client, data } from '../../api/client.js';
import { useClock } from '../../ui/use-clock.js';
import { Confirm } from '../../ui/confirm.js';
import { Failure } from '../../ui/failure.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Sparkline } from '../../ui/sparkline.js';
import list from '../../ui/list.module.css';
import { formatCondition, getScopeName } from './alert-text.js';

const MUTED_HOURS = 24;
const HOUR_MS = 3_600_000;

interface AlertItemProps {
  projectId: string;
  alert: Alert;
  kind: AlertKind;
  isOwner: boolean;
  /**
   * Alert that is open in the form. Until the form is closed, no other alert can be edited and this one can't be
   * deleted.
   */
  edited: Alert | 'new' | null;
  onEdit: () => void;
}

export function AlertItem({ projectId, alert, kind, isOwner, edited, onEdit }: AlertItemProps) {
  const now = useClock();
  const queryClient = useQueryClient();
  const [isDeleting, setDeleting] = useState(false);
  const params = { path: { id: projectId, alertId: alert.id } };
  const refresh = () => queryClient.invalidateQueries({ queryKey: alertsKey(projectId) });
  const change = useMutation({
    mutationFn: (body: { is_enabled?: boolean; muted_until?: string | null }) =>
      data(client.PATCH('/api/projects/{id}/alerts/{alertId}', { params, body })),
    onSuccess: refresh,
  });
  const isMuted = alert.muted_until !== null && Date.parse(alert.muted_until) > now;
  const firedCount = alert.daily_events.reduce((sum, events) => sum + events, 0);
  const scope = getScopeName(alert);
  const name = scope === null ? kind.label : `${kind.label}: ${scope}`;
  const button = (label: string, onClick: () => void, isDisabled = change.isPending) => (
    <Button size="compact-sm" variant="default" disabled={isDisabled} onClick={onClick}>
      {label}
      <span className="unseen"> {name}</span>
    </Button>
  );
  return (
    <li className={list['item']}>
      <Group justify="space-between" align="flex-start" gap="xs">
        <div style={{ flex: '1 1 280px', minWidth: 0 }}>
          <Group gap="xs">
            <Text fw={500}>{name}</Text>
            <State state={alert.state} isMuted={isMuted} />
          </Group>
          <Text size="sm">{kind.sentence}</Text>
          <Text size="xs" c="dimmed">
            {formatCondition(kind, alert)}
            {alert.channel_ids !== null &&
              ` · sent to ${alert.channel_ids.length} ${alert.channel_ids.length === 1 ? 'channel' : 'channels'}`}
            {' · '}
            {alert.last_fired_at === null ? (
              'never fired'
            ) : (
              <>
                fired <RelativeTime time={alert.last_fired_at} />
              </>
            )}
            {isMuted && (
              <>
                {' · '}muted, ends <RelativeTime time={alert.muted_until!} />
              </>
            )}
          </Text>
        </div>
        {firedCount > 0 && (
          <Sparkline values={alert.daily_events} label={`${name} fired ${firedCount} times in the last 30 days`} />
        )}
      </Group>
      {isOwner && (
        <Group gap="xs" mt={6}>
          {alert.state !== 'off' &&
            (isMuted
              ? button('Unmute', () => change.mutate({ muted_until: null }))
              : button(`Mute for ${MUTED_HOURS} hours`, () =>
                  change.mutate({ muted_until: new Date(now + MUTED_HOURS * HOUR_MS).toISOString() }),
                ))}
          {alert.state === 'off'
            ? button('Turn on', () => change.mutate({ is_enabled: true }))
            : button('Turn off', () => change.mutate({ is_enabled: false }))}
          {button('Edit', onEdit, change.isPending || edited !== null)}
          {button('Delete', () => setDeleting(true), change.isPending || (edited !== 'new' && edited?.id === alert.id))}
        </Group>
      )}
      {change.isError && <Failure error={change.error} />}
      {isDeleting && (
        <Confirm
          title={`Delete “${name}”?`}
          label="Delete alert"
          action={async () => {
            await data(client.DELETE('/api/projects/{id}/alerts/{alertId}', { params }));
            await refresh();
          }}
          onClose={() => setDeleting(false)}
        >
          This also deletes the alert’s history and can’t be undone.
        </Confirm>
      )}
    </li>
  );
}

function State({ state, isMuted }: { state: Alert['state']; isMuted: boolean }) {
  const badge = {
    firing: { label: 'Firing', color: 'red', c: 'var(--failed)' },
    ok: { label: isMuted ? 'Muted' : 'OK', color: 'gray', c: 'dimmed' },
    off: { label: 'Off', color: 'gray', c: 'dimmed' },
  }[state];
  return (
    <Badge variant="outline" color={badge.color} c={badge.c} tt="none">
      {badge.label}
    </Badge>
  );
}
