import { Button, Group, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { reportSettingsQuery } from '../../api/account-queries.js';
import { client, data } from '../../api/client.js';
import { projectReportQuery, type ReportRecipient } from '../../api/reports.js';
import { ActionForm } from '../../ui/action-form.js';
import { Failure } from '../../ui/failure.js';
import { validateEmail } from '../../ui/password.js';
import list from '../../ui/list.module.css';

interface RecipientsProps {
  projectId: string;
  recipients: readonly ReportRecipient[];
  canSendMail: boolean;
  isOwner: boolean;
}

/** Recipients of the report: members who subscribed, and people without an account who confirmed their address. */
export function Recipients({ projectId, recipients, canSendMail, isOwner }: RecipientsProps) {
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: projectReportQuery(projectId).queryKey });
  const remove = useMutation({
    mutationFn: (recipientId: string) =>
      data(
        client.DELETE('/api/projects/{id}/report/recipients/{recipientId}', {
          params: { path: { id: projectId, recipientId } },
        }),
      ),
    onSuccess: refresh,
  });
  const form = useForm({
    initialValues: { address: '' },
    validate: { address: validateEmail },
  });
  const add = async ({ address }: { address: string }): Promise<void> => {
    const params = { path: { id: projectId } };
    const body = { address: address.trim() };
    await data(client.POST('/api/projects/{id}/report/recipients', { params, body }));
    form.reset();
    await refresh();
  };
  return (
    <>
      <Subscription projectId={projectId} refresh={refresh} />
      {recipients.length === 0 ? (
        <Text size="sm" c="dimmed">
          No recipients yet.{' '}
          {!canSendMail
            ? 'You can add some once email is set up.'
            : isOwner
              ? 'To get the report yourself, use the button above. To send it to someone else, add their email address below.'
              : 'To get the report yourself, use the button above.'}
        </Text>
      ) : (
        <ul className={list['list']} aria-label="Recipients">
          {recipients.map(({ id, address, is_member: isMember, is_confirmed: isConfirmed }) => (
            <li key={id} className={list['item']}>
              <Group justify="space-between" wrap="nowrap" gap="xs">
                <div style={{ minWidth: 0 }}>
                  <Text size="sm">{address}</Text>
                  <Text size="xs" c="dimmed">
                    {isMember ? 'Member' : isConfirmed ? 'Confirmed' : 'Waiting for confirmation'}
                  </Text>
                </div>
                {isOwner && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    disabled={remove.isPending}
                    onClick={() => remove.mutate(id)}
                  >
                    Remove<span className="unseen"> {address}</span>
                  </Button>
                )}
              </Group>
            </li>
          ))}
        </ul>
      )}
      {remove.isError && <Failure error={remove.error} />}
      {isOwner && canSendMail && (
        <ActionForm form={form} action={add} submit="Add recipient">
          <TextInput
            label="Email address"
            description="For people without an account. They get reports once they confirm their address."
            type="email"
            {...form.getInputProps('address')}
          />
        </ActionForm>
      )}
    </>
  );
}

/** Button that subscribes the current user to the report, or unsubscribes them. */
function Subscription({ projectId, refresh }: { projectId: string; refresh: () => Promise<void> }) {
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
      <Group>
        <Button size="compact-sm" variant="default" loading={change.isPending} onClick={() => change.mutate()}>
          {isSubscribed ? 'Stop sending it to me' : 'Send it to me, too'}
        </Button>
      </Group>
      {change.isError && <Failure error={change.error} />}
    </>
  );
}
