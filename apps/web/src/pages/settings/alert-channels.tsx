import { Loader, NativeSelect, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { alertChannelsQuery, alertsKey, type NewAlertChannel } from '../../api/alerts.js';
import { client, data } from '../../api/client.js';
import { ActionForm } from '../../ui/action-form.js';
import { Failure } from '../../ui/failure.js';
import { NoMailServer } from '../../ui/no-mail-server.js';
import { required } from '../../ui/password.js';
import { Section } from '../../ui/section.js';
import list from '../../ui/list.module.css';
import { AlertChannelItem } from './alert-channel-item.js';
import { CHANNEL_LABELS } from './channel-labels.js';
import { AlertDeliveries } from './alert-deliveries.js';

const URL_PLACEHOLDERS = {
  webhook: 'https://example.com/hooks/agent-traffic',
  slack: 'https://hooks.slack.com/services/…',
  discord: 'https://discord.com/api/webhooks/…',
  email: '',
} as const;

export interface AlertChannelsProps {
  projectId: string;
  isOwner: boolean;
}

export default function AlertChannels({ projectId, isOwner }: AlertChannelsProps) {
  const response = useQuery(alertChannelsQuery(projectId));
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: alertsKey(projectId) });
  const { channels = [], can_send_mail: canSendMail = false } = response.data ?? {};
  return (
    <>
      <Section
        title="Alert channels"
        lead="By default, alerts go to all channels that are turned on. For security, URLs aren’t shown again."
      >
        {response.isPending && <Loader size="sm" />}
        {response.isError && <Failure error={response.error} retry={() => void response.refetch()} />}
        {response.isSuccess && channels.length === 0 && (
          <Text size="sm">
            No alert channels yet. Add one to also get alerts by email, webhook, Slack or Discord. All alerts appear
            under the bell.
          </Text>
        )}
        <ul className={list['list']}>
          {channels.map((channel) => (
            <AlertChannelItem
              key={channel.id}
              projectId={projectId}
              channel={channel}
              isOwner={isOwner}
              refresh={refresh}
            />
          ))}
        </ul>
        {isOwner ? (
          response.isSuccess && <NewChannel projectId={projectId} canSendMail={canSendMail} refresh={refresh} />
        ) : (
          <Text size="sm" c="dimmed">
            Only project owners can add or change channels.
          </Text>
        )}
      </Section>
      <AlertDeliveries projectId={projectId} channels={channels} isOwner={isOwner} refresh={refresh} />
    </>
  );
}

interface NewChannelProps {
  projectId: string;
  canSendMail: boolean;
  refresh: () => Promise<void>;
}

function NewChannel({ projectId, canSendMail, refresh }: NewChannelProps) {
  const form = useForm({
    initialValues: { kind: 'webhook' as NewAlertChannel['kind'], name: '', url: '', addresses: '' },
    validate: {
      name: required('a name'),
      url: (url, { kind }) => (kind === 'email' ? null : required('the URL')(url)),
      addresses: (addresses, { kind }) => (kind === 'email' ? required('an address')(addresses) : null),
    },
  });
  const isMail = form.values.kind === 'email';
  const add = async ({ kind, name, url, addresses }: typeof form.values): Promise<void> => {
    const target = kind === 'email' ? { addresses: addresses.split(/[\s,;]+/).filter(Boolean) } : { url: url.trim() };
    const params = { path: { id: projectId } };
    const body = { kind, name: name.trim(), ...target };
    await data(client.POST('/api/projects/{id}/alert-channels', { params, body }));
    form.reset();
    await refresh();
  };
  return (
    <ActionForm form={form} action={add} submit="Add channel" disabled={isMail && !canSendMail}>
      <NativeSelect
        label="Channel"
        data={Object.entries(CHANNEL_LABELS).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps('kind')}
      />
      <TextInput label="Channel name" placeholder="Web team" maxLength={200} {...form.getInputProps('name')} />
      {isMail && !canSendMail && <NoMailServer />}
      {isMail && canSendMail && (
        <TextInput
          label="Addresses"
          description="Up to 10, separated by commas"
          placeholder="team@example.com"
          {...form.getInputProps('addresses')}
        />
      )}
      {!isMail && (
        <TextInput
          label="URL"
          placeholder={URL_PLACEHOLDERS[form.values.kind]}
          maxLength={2_000}
          autoComplete="off"
          {...form.getInputProps('url')}
        />
      )}
    </ActionForm>
  );
}
