import { Badge, Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { AlertChannel } from '../../api/alerts.js';
import { client, data } from '../../api/client.js';
import { Confirm } from '../../ui/confirm.js';
import { Failure } from '../../ui/failure.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Snippet } from '../../ui/snippet.js';
import list from '../../ui/list.module.css';
import { CHANNEL_LABELS } from './channel-labels.js';

interface AlertChannelItemProps {
  projectId: string;
  channel: AlertChannel;
  isOwner: boolean;
  refresh: () => Promise<void>;
}

export function AlertChannelItem({ projectId, channel, isOwner, refresh }: AlertChannelItemProps) {
  const { id, kind, name, target, is_enabled: isEnabled, disabled_reason: reason } = channel;
  const [secret, setSecret] = useState<string | null>(null);
  const [pendingAction, setPendingAction] = useState<'delete' | 'rotate' | null>(null);
  const params = { path: { id: projectId, channelId: id } };
  const test = useMutation({
    mutationFn: () => data(client.POST('/api/projects/{id}/alert-channels/{channelId}/test', { params, body: {} })),
    onSettled: refresh,
  });
  const resend = useMutation({
    mutationFn: () =>
      data(client.POST('/api/projects/{id}/alert-channels/{channelId}/confirmations', { params, body: {} })),
    onSettled: refresh,
  });
  const reveal = useMutation({
    mutationFn: () => data(client.GET('/api/projects/{id}/alert-channels/{channelId}/secret', { params })),
    onSuccess: (response) => setSecret(response.secret),
  });
  const toggle = useMutation({
    mutationFn: (isOn: boolean) =>
      data(client.PATCH('/api/projects/{id}/alert-channels/{channelId}', { params, body: { is_enabled: isOn } })),
    onSuccess: refresh,
  });
  const rotate = async (): Promise<void> => {
    const response = await data(
      client.POST('/api/projects/{id}/alert-channels/{channelId}/secret', { params, body: {} }),
    );
    setSecret(response.secret);
    await refresh();
  };
  const remove = async (): Promise<void> => {
    await data(client.DELETE('/api/projects/{id}/alert-channels/{channelId}', { params }));
    await refresh();
  };
  const failedMutation = [test, resend, reveal, toggle].find(({ isError }) => isError);
  const button = (label: string, onClick: () => void, loading = false) => (
    <Button size="compact-sm" variant="default" loading={loading} onClick={onClick}>
      {label}
      <span className="unseen"> {name}</span>
    </Button>
  );
  return (
    <li className={list['item']}>
      <Group gap="xs">
        <Text fw={500}>{name}</Text>
        <Badge
          variant="outline"
          color={reason === null ? 'gray' : 'red'}
          c={reason === null ? 'dimmed' : 'var(--failed)'}
          tt="none"
        >
          {isEnabled ? 'On' : 'Off'}
        </Badge>
      </Group>
      <Text size="xs" c="dimmed" className={list['value'] ?? ''}>
        {CHANNEL_LABELS[kind]} to {target}
        {channel.former_secret_until !== null && (
          <>
            , also signed with the previous secret, which expires <RelativeTime time={channel.former_secret_until} />
          </>
        )}
      </Text>
      {channel.pending_addresses.length > 0 && (
        <Text size="sm">Not confirmed yet, so no mail is sent to: {channel.pending_addresses.join(', ')}</Text>
      )}
      {reason !== null && (
        <Text size="sm" c="var(--failed)">
          This channel was turned off. {reason}
        </Text>
      )}
      {isOwner && (
        <Group gap="xs" mt={6}>
          {button('Send test', () => test.mutate(), test.isPending)}
          {isEnabled ? button('Turn off', () => toggle.mutate(false)) : button('Turn on', () => toggle.mutate(true))}
          {kind === 'webhook' &&
            (secret === null
              ? button('Show secret', () => reveal.mutate())
              : button('Hide secret', () => setSecret(null)))}
          {kind === 'webhook' && button('Create new secret', () => setPendingAction('rotate'))}
          {channel.pending_addresses.length > 0 &&
            button('Resend confirmation', () => resend.mutate(), resend.isPending)}
          {button('Delete', () => setPendingAction('delete'))}
        </Group>
      )}
      <div role="status">
        {test.data && (
          <Text size="sm" mt={4} c={test.data.state === 'delivered' ? 'var(--verified)' : 'var(--failed)'}>
            {test.data.state === 'delivered' ? 'The test was delivered.' : `The test failed. ${test.data.error}`}
          </Text>
        )}
      </div>
      {secret !== null && <Snippet text={secret} what="the secret" />}
      {failedMutation && <Failure error={failedMutation.error} />}
      {pendingAction === 'rotate' && (
        <Confirm
          title={`Create a new secret for “${name}”?`}
          label="Create secret"
          action={rotate}
          onClose={() => setPendingAction(null)}
        >
          For 24 hours, webhooks are signed with both secrets. Update the receiver before then.
        </Confirm>
      )}
      {pendingAction === 'delete' && (
        <Confirm title={`Delete “${name}”?`} label="Delete" action={remove} onClose={() => setPendingAction(null)}>
          Alerts waiting to be sent to this channel will be lost. Alerts that only use this channel will go to all
          channels instead. This can't be undone.
        </Confirm>
      )}
    </li>
  );
}
