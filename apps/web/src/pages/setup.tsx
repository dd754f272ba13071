import { Code, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Navigate, useLocation, useRouter } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { client, data } from '../api/client.js';
import { sessionQuery } from '../api/queries.js';
import { ActionForm } from '../ui/action-form.js';
import { command, INSTALL_LOCATION } from '../ui/command.js';
import { Failure } from '../ui/failure.js';
import { PublicLayout } from '../shell/public-layout.js';
import { NewPasswordInput } from '../ui/new-password-input.js';
import { validateEmail, validatePasswordLength, required } from '../ui/password.js';

/** Creates the first administrator. The setup URL printed at startup contains the code in its fragment. */
export function Setup() {
  // Only select the hash. Otherwise, each location change would rerender `Navigate` in an endless loop.
  const hash = useLocation({ select: (location) => location.hash });
  const session = useQuery(sessionQuery);
  const [isCreated, setCreated] = useState(false);
  if (session.data?.setup_required === false && !isCreated) return <Navigate to="/projects" replace />;
  return (
    <SetupForm key={hash} code={hash} onCreated={() => setCreated(true)}>
      {session.isError && <Failure error={session.error} retry={() => void session.refetch()} />}
    </SetupForm>
  );
}

interface SetupFormProps {
  code: string;
  onCreated: () => void;
  /** Content above the form. */
  children: ReactNode;
}

function SetupForm({ code, onCreated, children }: SetupFormProps) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const form = useForm({
    initialValues: { code, name: '', email: '', password: '' },
    validate: {
      code: required('the setup code'),
      name: required('your name'),
      email: validateEmail,
      password: validatePasswordLength,
    },
  });

  const setUp = async ({ code, name, email, password }: typeof form.values): Promise<void> => {
    const body = { code: code.trim(), name: name.trim(), email: email.trim(), password };
    await data(client.POST('/api/setup', { body }));
    onCreated();
    queryClient.clear();
    await router.navigate({ to: '/setup/site', replace: true });
  };
  return (
    <PublicLayout title="Welcome" lead="Create the first account. It becomes the administrator of this instance.">
      {children}
      <ActionForm form={form} action={setUp} submit="Create account">
        <TextInput
          label="Setup code"
          description="Printed when Agent Traffic started."

          autoComplete="off"
          {...form.getInputProps('code')}
        />
        <TextInput label="Your name" autoComplete="name" {...form.getInputProps('name')} />
        <TextInput label="Email address" type="email" autoComplete="username" {...form.getInputProps('email')} />
        <NewPasswordInput
          label="Password"
          email={form.values.email}
          name={form.values.name}
          {...form.getInputProps('password')}
        />
      </ActionForm>
      <Text component="div" size="sm" c="dimmed">
        Lost the code? Create a new one on the server, {INSTALL_LOCATION}: <Code block>{command('setup-code')}</Code>
      </Text>
    </PublicLayout>
  );
}
