import { Button, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { client, data } from '../api/client.js';
import { PublicLayout } from '../shell/public-layout.js';
import { ActionForm } from '../ui/action-form.js';
import { Failure } from '../ui/failure.js';

const route = getRouteApi('/alert-mail');

/**
 * Landing page for links in alert emails. Nothing changes until the user clicks, because some mail clients prefetch
 * links.
 */
export function AlertMail() {
  const { of: recipient } = route.useSearch();
  const [isConfirmed, setConfirmed] = useState(false);
  const form = useForm({ initialValues: {} });
  const params = { path: { recipient } };
  const confirm = async (): Promise<void> => {
    await data(client.POST('/api/mail-recipients/{recipient}/confirmation', { params, body: {} }));
    setConfirmed(true);
  };
  const stop = useMutation({
    mutationFn: () => data(client.POST('/api/mail-recipients/{recipient}', { params })),
    onSuccess: () => setConfirmed(false),
  });
  return (
    <PublicLayout title="Email alerts">
      {stop.isSuccess && !isConfirmed ? (
        <Text size="sm" role="status">
          You won’t get email alerts for this project.
        </Text>
      ) : isConfirmed ? (
        <Text size="sm" role="status">
          Confirmed. You’ll get email alerts for this project.
        </Text>
      ) : (
        <>
          <ActionForm form={form} action={confirm} submit="Get alerts">
            <Text size="sm">Confirm that you want email alerts for this project.</Text>
          </ActionForm>
          <Button variant="default" loading={stop.isPending} onClick={() => stop.mutate()}>
            Stop alerts
          </Button>
          {stop.isError && <Failure error={stop.error} />}
        </>
      )}
    </PublicLayout>
  );
}
