import { Alert, PasswordInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ownAccountQuery, type OwnAccount } from '../../api/account-queries.js';
import { client, data } from '../../api/client.js';
import { ActionForm } from '../../ui/action-form.js';
import { NewPasswordInput } from '../../ui/new-password-input.js';
import { validatePasswordLength, MIN_PASSWORD_LENGTH, required } from '../../ui/password.js';
import { Section } from '../../ui/section.js';
import { ACCOUNT_SECTIONS } from './sections.js';

export function Password({ account: { user, has_password: hasPassword, provider } }: { account: OwnAccount }) {
  const [isChanged, setChanged] = useState(false);
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: { current_password: '', new_password: '' },
    validate: { current_password: required('your current password'), new_password: validatePasswordLength },
  });
  const change = async (body: typeof form.values): Promise<void> => {
    setChanged(false);
    await data(client.PUT('/api/session/password', { body }));
    form.reset();
    setChanged(true);
    await queryClient.invalidateQueries(ownAccountQuery);
  };
  if (!hasPassword) {
    return (
      <Section id="password" title={ACCOUNT_SECTIONS.password.label}>
        <Text size="sm">This account has no password. You sign in with {provider ?? 'single sign-on'}.</Text>
      </Section>
    );
  }
  return (
    <Section id="password" title={ACCOUNT_SECTIONS.password.label}>
      <ActionForm form={form} action={change} submit="Change password" variant="default">
        <input type="text" hidden autoComplete="username" value={user.email} readOnly />
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          {...form.getInputProps('current_password')}
        />
        <NewPasswordInput
          label="New password"
          description={`At least ${MIN_PASSWORD_LENGTH} characters, and hard to guess. Changing it signs out your other sessions.`}
          email={user.email}
          name={user.name}
          {...form.getInputProps('new_password')}
        />
      </ActionForm>
      <div aria-live="polite">
        {isChanged && (
          <Alert color="green" variant="outline">
            Password changed. Your other sessions have been signed out.
          </Alert>
        )}
      </div>
    </Section>
  );
}
