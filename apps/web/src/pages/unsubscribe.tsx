import { Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { client, data } from '../api/client.js';
import { PublicLayout } from '../shell/public-layout.js';
import { ActionForm } from '../ui/action-form.js';
import { TextLink } from '../ui/text-link.js';

const route = getRouteApi('/unsubscribe');

/** Unsubscribe page, linked from reports. Requires a click, because mail scanners open links. */
export function Unsubscribe() {
  const { of: unsubscription } = route.useSearch();
  const [isDone, setDone] = useState(false);
  const form = useForm({ initialValues: {} });
  const unsubscribe = async (): Promise<void> => {
    await data(client.POST('/api/unsubscriptions/{unsubscription}', { params: { path: { unsubscription } } }));
    setDone(true);
  };
  return (
    <PublicLayout title="Report">
      {isDone ? (
        <Text size="sm" role="status">
          You won't get this report anymore. To get it again, select the project on{' '}
          <TextLink to="/account" hash="reports">
            your account page
          </TextLink>
          .
        </Text>
      ) : (
        <ActionForm form={form} action={unsubscribe} submit="Unsubscribe">
          <Text size="sm">You'll still get alerts and reports for other projects.</Text>
        </ActionForm>
      )}
    </PublicLayout>
  );
}
