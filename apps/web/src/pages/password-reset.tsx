import { Loader, PasswordInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { client, data } from '../api/client.js';
import { passwordResetQuery } from '../api/queries.js';
import { ActionForm } from '../shell/action-form.js';
import { Failure } from '../shell/failure.js';
import { Gate } from '../shell/gate.js';
import { LEAST_PASSWORD, passwordFault } from '../shell/password.js';
import { TextLink } from '../shell/text-link.js';

const route = getRouteApi('/password-resets/$token');

/** What the link for a new password opens. */
export function PasswordReset() {
  const { token } = route.useParams();
  const reset = useQuery(passwordResetQuery(token));
  const queryClient = useQueryClient();
  const router = useRouter();
  const form = useForm({ initialValues: { password: '' }, validate: { password: passwordFault } });

  const choose = async ({ password }: typeof form.values): Promise<void> => {
    await data(client.POST('/api/password-resets/{token}', { params: { path: { token } }, body: { password } }));
    queryClient.clear();
    await router.navigate({ to: '/projects', replace: true });
  };
  if (reset.isError) {
    return (
      <Gate title="New password">
        <Failure error={reset.error} title="This link can not be used" />
        <Text size="sm" c="dimmed">
          It works once and for a day. Ask an administrator for another one, or{' '}
          <TextLink to="/sign-in">sign in</TextLink>.
        </Text>
      </Gate>
    );
  }
  if (reset.data === undefined) {
    return (
      <Gate title="New password">
        <Loader size="sm" />
      </Gate>
    );
  }
  return (
    <Gate title="New password" lead={<>For {reset.data.email}. Wherever you are signed in now, that ends.</>}>
      <ActionForm form={form} action={choose} submit="Set the password and sign in">
        {/* So that password managers know whose it is. */}
        <input type="hidden" autoComplete="username" value={reset.data.email} readOnly />
        <PasswordInput
          label="New password"
          description={`At least ${LEAST_PASSWORD} characters`}
          autoComplete="new-password"
          data-autofocus
          {...form.getInputProps('password')}
        />
      </ActionForm>
    </Gate>
  );
}
