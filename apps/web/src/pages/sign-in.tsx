import { Alert, Button, Code, Divider, PasswordInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Navigate, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { parseReturnPath, SIGN_IN_ERRORS } from '#libs/sign-in';
import { client, data } from '../api/client.js';
import { sessionQuery } from '../api/queries.js';
import { ActionForm } from '../ui/action-form.js';
import { command, INSTALL_LOCATION } from '../ui/command.js';
import { Failure } from '../ui/failure.js';
import { PublicLayout } from '../shell/public-layout.js';
import { validateEmail, required } from '../ui/password.js';
import { TextLink } from '../ui/text-link.js';
import { supportsPasskeys } from '../ui/passkeys.js';
import { PasskeySignIn } from './passkey-sign-in.js';
import { SecondStep } from './second-step.js';

const route = getRouteApi('/sign-in');

export function SignIn() {
  const { return_to: returnTo, error } = route.useSearch();
  const session = useQuery(sessionQuery);
  const queryClient = useQueryClient();
  const router = useRouter();
  const [isSecondStep, setSecondStep] = useState(false);
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: { email: validateEmail, password: required('your password') },
  });
  const target = parseReturnPath(returnTo) ?? '/projects';
  if (session.data?.setup_required) return <Navigate to="/setup" replace />;
  // An error for a signed-in user means that they failed to confirm their identity. Stay on this page, which shows the
  // reason.
  if (session.data?.user && error === undefined) return <Navigate to={target} replace />;

  const signIn = async ({ email, password }: typeof form.values): Promise<void> => {
    const response = await data(client.POST('/api/session', { body: { email: email.trim(), password } }));
    if (response.second_factor_required) setSecondStep(true);
    else await enter();
  };
  const enter = async (): Promise<void> => {
    // Remove the previous user's cached data.
    queryClient.clear();
    await router.navigate({ to: target, replace: true });
  };
  if (isSecondStep) return <SecondStep onDone={enter} onRestart={() => setSecondStep(false)} />;
  return (
    <PublicLayout title="Sign in">
      {error && (
        <Alert color="red" variant="outline" role="alert">
          {SIGN_IN_ERRORS[error]}
          {session.data?.user && (
            <>
              {' '}
              <TextLink to={target}>Go back</TextLink>
            </>
          )}
        </Alert>
      )}
      {session.isError && <Failure error={session.error} retry={() => void session.refetch()} />}
      <ActionForm form={form} action={signIn} submit="Sign in">
        <TextInput
          label="Email address"
          type="email"
          autoComplete="username"
          data-autofocus
          {...form.getInputProps('email')}
        />
        <PasswordInput label="Password" autoComplete="current-password" {...form.getInputProps('password')} />
      </ActionForm>
      {(session.data?.oidc || supportsPasskeys()) && <Divider label="or" />}
      {supportsPasskeys() && <PasskeySignIn onDone={enter} />}
      {session.data?.oidc && (
        <Button component="a" variant="default" href={`/api/session/oidc?return_to=${encodeURIComponent(target)}`}>
          Sign in with {session.data.oidc.name}
        </Button>
      )}
      <Text size="sm" c="dimmed">
        Forgot your password? An administrator can create a reset link in System, or on the server, {INSTALL_LOCATION}:{' '}
        <Code>{command('reset-password EMAIL')}</Code>
      </Text>
    </PublicLayout>
  );
}
