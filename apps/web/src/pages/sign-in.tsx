import { Alert, Button, Code, Divider, PasswordInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Navigate, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { returnAddress, SIGN_IN_REFUSALS } from '#libs/sign-in';
import { client, data } from '../api/client.js';
import { sessionQuery } from '../api/queries.js';
import { ActionForm } from '../ui/action-form.js';
import { command, WHERE } from '../ui/command.js';
import { Failure } from '../ui/failure.js';
import { PublicLayout } from '../shell/public-layout.js';
import { emailFault, required } from '../ui/password.js';
import { TextLink } from '../ui/text-link.js';
import { hasPasskeys } from '../ui/passkeys.js';
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
    validate: { email: emailFault, password: required('your password') },
  });
  const target = returnAddress(returnTo) ?? '/projects';
  if (session.data?.setup_required) return <Navigate to="/setup" replace />;
  // With an error, a signed-in user failed to confirm their identity and must see why.
  if (session.data?.user && error === undefined) return <Navigate to={target} replace />;

  const signIn = async ({ email, password }: typeof form.values): Promise<void> => {
    const answer = await data(client.POST('/api/session', { body: { email: email.trim(), password } }));
    if (answer.second_factor_required) setSecondStep(true);
    else await enter();
  };
  const enter = async (): Promise<void> => {
    // Removes cached data of a previous user.
    queryClient.clear();
    await router.navigate({ to: target, replace: true });
  };
  if (isSecondStep) return <SecondStep onDone={enter} onRestart={() => setSecondStep(false)} />;
  return (
    <PublicLayout title="Sign in">
      {error && (
        <Alert color="red" variant="outline" role="alert">
          {SIGN_IN_REFUSALS[error]}
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
          label="E-mail address"
          type="email"
          autoComplete="username"
          data-autofocus
          {...form.getInputProps('email')}
        />
        <PasswordInput label="Password" autoComplete="current-password" {...form.getInputProps('password')} />
      </ActionForm>
      {(session.data?.oidc || hasPasskeys()) && <Divider label="or" />}
      {hasPasskeys() && <PasskeySignIn onDone={enter} />}
      {session.data?.oidc && (
        <Button component="a" variant="default" href={`/api/session/oidc?return_to=${encodeURIComponent(target)}`}>
          Sign in with {session.data.oidc.name}
        </Button>
      )}
      <Text size="sm" c="dimmed">
        Forgot your password? An administrator can create a reset link under System, or on the server, {WHERE}:{' '}
        <Code>{command('reset-password EMAIL')}</Code>
      </Text>
    </PublicLayout>
  );
}
