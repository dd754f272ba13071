import { Button, Switch, Text, TextInput } from '@mantine/core';
import '@mantine/core/styles/Switch.css';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { reportSettingsQuery } from '../../api/account-queries.js';
import { client, data } from '../../api/client.js';
import { projectReportKey, type ReportRecipient } from '../../api/reports.js';
import { Failure } from '../../ui/failure.js';
import { validateEmail } from '../../ui/password.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { RowMenu } from '../../ui/row-menu.js';
import classes from './recipients.module.css';

interface RecipientsProps {
  projectId: string;
  recipients: readonly ReportRecipient[];
  canSendMail: boolean;
  isOwner: boolean;
}

/** Recipients of the report, with their last delivery: members who subscribed, and people without an account. */
export function Recipients({ projectId, recipients, canSendMail, isOwner }: RecipientsProps) {
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: projectReportKey(projectId) });
  const remove = useMutation({
    mutationFn: (recipientId: string) =>
      data(
        client.DELETE('/api/projects/{id}/report/recipients/{recipientId}', {
          params: { path: { id: projectId, recipientId } },
        }),
      ),
    onSuccess: refresh,
  });
  return (
    <>
      {recipients.length === 0 ? (
        <Text size="sm" c="dimmed">
          {canSendMail ? 'No one gets this report yet.' : 'You can add recipients once email is set up.'}
        </Text>
      ) : (
        <ul className={classes['list']} aria-label="Recipients">
          {recipients.map((recipient) => (
            <li key={recipient.id} className={classes['row']}>
              <Text size="sm" className={classes['address']} title={recipient.address}>
                {recipient.address}
              </Text>
              <Text size="xs" c="dimmed" className={classes['state']}>
                <RecipientState recipient={recipient} />
              </Text>
              {isOwner && (
                <span className={classes['menu']}>
                  <RowMenu
                    name={recipient.address}
                    actions={[{ label: 'Remove', isDangerous: true, onClick: () => remove.mutate(recipient.id) }]}
                  />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {remove.isError && <Failure error={remove.error} />}
      <Subscription projectId={projectId} refresh={refresh} />
      {isOwner && canSendMail && <NewRecipient projectId={projectId} refresh={refresh} />}
    </>
  );
}

function RecipientState({ recipient }: { recipient: ReportRecipient }) {
  const { is_member: isMember, is_confirmed: isConfirmed, delivery } = recipient;
  if (!isConfirmed) return 'Waiting for confirmation';
  if (delivery === null) return isMember ? 'Member' : 'Confirmed';
  if (delivery.state === 'sending') return 'Sending …';
  if (delivery.state === 'failed') return <span className={classes['failed']}>Not sent. {delivery.error}</span>;
  return (
    <>
      Sent <RelativeTime time={delivery.at} />
    </>
  );
}

interface RefreshProps {
  projectId: string;
  refresh: () => Promise<void>;
}

/** Adds someone without an account. */
function NewRecipient({ projectId, refresh }: RefreshProps) {
  const form = useForm({ initialValues: { address: '' }, validate: { address: validateEmail } });
  const add = useMutation({
    mutationFn: ({ address }: { address: string }) =>
      data(
        client.POST('/api/projects/{id}/report/recipients', {
          params: { path: { id: projectId } },
          body: { address: address.trim() },
        }),
      ),
    onSuccess: () => {
      form.reset();
      return refresh();
    },
  });
  return (
    <form noValidate onSubmit={form.onSubmit((values) => add.mutate(values))}>
      <div className={classes['add']}>
        <TextInput
          size="sm"
          aria-label="Email address"
          placeholder="boss@example.com"
          type="email"
          {...form.getInputProps('address')}
        />
        <Button type="submit" variant="default" loading={add.isPending}>
          Add
        </Button>
      </div>
      <Text size="xs" c="dimmed" mt={4}>
        They get reports once they confirm their address.
      </Text>
      {add.isError && <Failure error={add.error} />}
    </form>
  );
}

/** Switch that subscribes the current user to the report, or unsubscribes them. */
function Subscription({ projectId, refresh }: RefreshProps) {
  const queryClient = useQueryClient();
  const settings = useQuery(reportSettingsQuery);
  const ids = settings.data?.project_ids ?? [];
  const isSubscribed = ids.includes(projectId);
  const change = useMutation({
    mutationFn: () =>
      data(
        client.PUT('/api/account/reports', {
          body: { project_ids: isSubscribed ? ids.filter((id) => id !== projectId) : [...ids, projectId] },
        }),
      ),
    onSuccess: async (saved) => {
      queryClient.setQueryData(reportSettingsQuery.queryKey, saved);
      await refresh();
    },
  });
  if (settings.isError) return <Failure error={settings.error} retry={() => void settings.refetch()} />;
  if (!settings.data?.can_send_mail) return null;
  return (
    <>
      <Switch
        size="sm"
        label="Send it to me"
        checked={isSubscribed}
        disabled={change.isPending}
        onChange={() => change.mutate()}
      />
      {change.isError && <Failure error={change.error} />}
    </>
  );
}
