import { Loader, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { client, data } from '../api/client.js';
import type { User } from '../api/client.js';
import { invitationQuery, sessionQuery } from '../api/queries.js';
import { ActionForm } from '../ui/action-form.js';
import { Failure } from '../ui/failure.js';
import { PublicLayout } from '../shell/public-layout.js';
import { NewPasswordInput } from '../ui/new-password-input.js';
import { validateEmail, validatePasswordLength, required } from '../ui/password.js';
import { RelativeTime } from '../ui/relative-time.js';
import { TextLink } from '../ui/text-link.js';

const route = getRouteApi('/invitations/$token');

export function InvitationPage() {
  const { token } = route.useParams();
  const invitation = useQuery(invitationQuery(token));
  const session = useQuery(sessionQuery);
  const queryClient = useQueryClient();
  const router = useRouter();

  const accept = async (body: { name?: string; email?: string; password?: string }): Promise<void> => {
    const response = await data(client.POST('/api/invitations/{token}', { params: { path: { token } }, body }));
    queryClient.clear();
    await router.navigate({ to: '/projects/$projectId', params: { projectId: response.project_id }, replace: true });
  };
  if (invitation.isError) {
    return (
      <PublicLayout title="Invitation">
        <Failure error={invitation.error} title="This invitation can't be used" />
        <Text size="sm" c="dimmed">
          Ask the person who sent it for a new one, or <TextLink to="/sign-in">sign in</TextLink>.
        </Text>
      </PublicLayout>
    );
  }
  if (invitation.data === undefined || session.data === undefined) {
    return (
      <PublicLayout title="Invitation">
        {session.isError ? <Failure error={session.error} /> : <Loader size="sm" />}
      </PublicLayout>
    );
  }
  const { project_name: project, role, expires_at: expiresAt } = invitation.data;
  const lead = (
    <>
      You’re invited to join <b>{project}</b> as {role}. The invitation expires <RelativeTime time={expiresAt} />.
    </>
  );
  return (
    <PublicLayout title="Invitation" lead={lead}>
      {session.data.user ? (
        <Join user={session.data.user} accept={accept} />
      ) : (
        <NewAccount accept={accept} token={token} />
      )}
    </PublicLayout>
  );
}

interface AcceptProps {
  accept: (body: { name?: string; email?: string; password?: string }) => Promise<void>;
}

function Join({ user, accept }: AcceptProps & { user: User }) {
  const form = useForm({ initialValues: {} });
  return (
    <ActionForm form={form} action={() => accept({})} submit="Join project">
      <Text size="sm">You’re signed in as {user.email}.</Text>
    </ActionForm>
  );
}

function NewAccount({ accept, token }: AcceptProps & { token: string }) {
  const form = useForm({
    initialValues: { name: '', email: '', password: '' },
    validate: { name: required('your name'), email: validateEmail, password: validatePasswordLength },
  });
  return (
    <ActionForm
      form={form}
      action={({ name, email, password }) => accept({ name: name.trim(), email: email.trim(), password })}
      submit="Create account and join"
    >
      <TextInput label="Your name" autoComplete="name" {...form.getInputProps('name')} />
      <TextInput label="Email address" type="email" autoComplete="username" {...form.getInputProps('email')} />
      <NewPasswordInput
        label="Password"
        email={form.values.email}
        name={form.values.name}
        {...form.getInputProps('password')}
      />
      <Text size="sm">
        Already have an account?{' '}
        <TextLink to="/sign-in" search={{ return_to: `/invitations/${token}` }}>
          Sign in first
        </TextLink>
      </Text>
    </ActionForm>
  );
}
