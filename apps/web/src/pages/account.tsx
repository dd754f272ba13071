import { Alert, Card, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client, data } from '../api/client.js';
import { sessionQuery } from '../api/queries.js';
import { ActionForm } from '../ui/action-form.js';
import { usePageTitle } from '../ui/page-title.js';
import { NewPasswordInput } from '../ui/new-password-input.js';
import { lengthFault, MIN_PASSWORD_LENGTH, required } from '../ui/password.js';

export function Account() {
  usePageTitle('Account');
  const { data: session } = useQuery(sessionQuery);
  const [isChanged, setChanged] = useState(false);
  const form = useForm({
    initialValues: { current_password: '', new_password: '' },
    validate: { current_password: required('your current password'), new_password: lengthFault },
  });
  const change = async (body: typeof form.values): Promise<void> => {
    setChanged(false);
    await data(client.PUT('/api/session/password', { body }));
    form.reset();
    setChanged(true);
  };
  return (
    <Stack maw={560}>
      <div>
        <Title order={1}>Account</Title>
        <Text c="dimmed" size="sm">
          {session?.user?.name}, {session?.user?.email}
          {session?.user?.is_admin ? ', administrator' : ''}
        </Text>
      </div>
      <Card withBorder>
        <Stack gap="sm">
          <Title order={2}>Password</Title>
          <ActionForm form={form} action={change} submit="Change password">
            <input type="text" hidden autoComplete="username" value={session?.user?.email ?? ''} readOnly />
            <PasswordInput
              label="Current password"
              autoComplete="current-password"
              {...form.getInputProps('current_password')}
            />
            <NewPasswordInput
              label="New password"
              description={`At least ${MIN_PASSWORD_LENGTH} characters, and hard to guess. Your other sessions are signed out.`}
              email={session?.user?.email}
              name={session?.user?.name}
              {...form.getInputProps('new_password')}
            />
          </ActionForm>
          <div aria-live="polite">
            {isChanged && (
              <Alert color="green" variant="outline">
                Your password was changed. Your other sessions were signed out.
              </Alert>
            )}
          </div>
        </Stack>
      </Card>
    </Stack>
  );
}
