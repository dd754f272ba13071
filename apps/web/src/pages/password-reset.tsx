import { Loader, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { client, data } from '../api/client.js';
import { passwordResetQuery } from '../api/system-queries.js';
import { ActionForm } from '../ui/action-form.js';
import { Failure } from '../ui/failure.js';
import { PublicLayout } from '../shell/public-layout.js';
import { RelativeTime } from '../ui/relative-time.js';
import { NewPasswordInput } from '../ui/new-password-input.js';
import { validatePasswordLength } from '../ui/password.js';
import { TextLink } from '../ui/text-link.js';
import { SecondStep } from './second-step.js';

const route = getRouteApi('/password-resets/$token');

export function PasswordResetPage() {
  const { token } = route.useParams();
  const reset = useQuery(passwordResetQuery(token));
  const queryClient = useQueryClient();
  const router = useRouter();
  const [isSecondStep, setSecondStep] = useState(false);
  const form = useForm({ initialValues: { password: '' }, validate: { password: validatePasswordLength } });
  const savePassword = async ({ password }: { password: string }): Promise<void> => {
    const path = { token };
    const response = await data(client.POST('/api/password-resets/{token}', { params: { path }, body: { password } }));
    if (response.second_factor_required) setSecondStep(true);
    else await enter('/projects');
  };
  const enter = async (to: '/projects' | '/sign-in'): Promise<void> => {
    queryClient.clear();
    await router.navigate({ to, replace: true });
  };
  if (isSecondStep) return <SecondStep onDone={() => enter('/projects')} onRestart={() => void enter('/sign-in')} />;
  if (reset.isError) {
    return (
      <PublicLayout title="New password">
        <Failure error={reset.error} title="This link can't be used" />
        <Text size="sm" c="dimmed">
          Ask an administrator for a new one, or <TextLink to="/sign-in">sign in</TextLink>.
        </Text>
      </PublicLayout>
    );
  }
  if (reset.data === undefined) {
    return (
      <PublicLayout title="New password">
        <Loader size="sm" />
      </PublicLayout>
    );
  }
  const lead = (
    <>
      Set a password for <b>{reset.data.email}</b>. All sessions will be signed out. The link works once and expires{' '}
      <RelativeTime time={reset.data.expires_at} />.
    </>
  );
  return (
    <PublicLayout title="New password" lead={lead}>
      <ActionForm form={form} action={savePassword} submit="Set password and sign in">
        {/* Lets password managers associate the new password with the account. */}
        <input type="text" autoComplete="username" value={reset.data.email} readOnly hidden />
        <NewPasswordInput label="New password" email={reset.data.email} {...form.getInputProps('password')} />
      </ActionForm>
    </PublicLayout>
  );
}
