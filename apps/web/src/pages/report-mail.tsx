import { Button, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { client, data } from '../api/client.js';
import { PublicLayout } from '../shell/public-layout.js';
import { ActionForm } from '../ui/action-form.js';
import { Failure } from '../ui/failure.js';

const route = getRouteApi('/report-mail');

/**
 * Landing page for report recipients without an account. Nothing changes until the user clicks, because some mail
 * clients prefetch links.
 */
export function ReportMail() {
  const { of: unsubscription } = route.useSearch();
  const [isConfirmed, setConfirmed] = useState(false);
  const form = useForm({ initialValues: {} });
  const params = { path: { unsubscription } };
  const confirm = async (): Promise<void> => {
    await data(client.POST('/api/unsubscriptions/{unsubscription}/confirmation', { params, body: {} }));
    setConfirmed(true);
  };
  const stop = useMutation({
    mutationFn: () => data(client.POST('/api/unsubscriptions/{unsubscription}', { params })),
  });
  return (
    <PublicLayout title="Reports by email">
      {stop.isSuccess ? (
        <Text size="sm" role="status">
          You won’t get reports for this project.
        </Text>
      ) : isConfirmed ? (
        <Text size="sm" role="status">
          Confirmed. You’ll get the next report for this project.
        </Text>
      ) : (
        <>
          <ActionForm form={form} action={confirm} submit="Get reports">
            <Text size="sm">Confirm that you want to get reports for this project by email.</Text>
          </ActionForm>
          <Button variant="default" loading={stop.isPending} onClick={() => stop.mutate()}>
            No reports
          </Button>
          {stop.isError && <Failure error={stop.error} />}
        </>
      )}
    </PublicLayout>
  );
}
