import { PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { ownAccountQuery, type OwnAccount } from '../../api/account-queries.js';
import { client, data } from '../../api/client.js';
import { sessionQuery } from '../../api/queries.js';
import { validateEmail, required } from '../../ui/password.js';
import { SavedForm } from '../../ui/saved-form.js';
import { Section } from '../../ui/section.js';
import { ACCOUNT_SECTIONS } from './sections.js';

export function Profile({ account: { user, has_password: hasPassword, provider } }: { account: OwnAccount }) {
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: { name: user.name, email: user.email, current_password: '' },
    validate: {
      name: required('your name'),
      email: validateEmail,
      current_password: hasPassword ? required('your current password') : () => null,
    },
  });
  const { name, email } = form.values;
  const isChanged = name.trim() !== user.name || email.trim().toLowerCase() !== user.email;
  const save = async (values: typeof form.values): Promise<typeof form.values> => {
    const body = {
      name: values.name.trim(),
      ...(provider === null && { email: values.email.trim() }),
      ...(hasPassword && { current_password: values.current_password }),
    };
    const { user: updatedUser } = await data(client.PATCH('/api/account', { body }));
    queryClient.setQueryData(sessionQuery.queryKey, (session) => session && { ...session, user: updatedUser });
    queryClient.setQueryData(ownAccountQuery.queryKey, (account) => account && { ...account, user: updatedUser });
    return { name: updatedUser.name, email: updatedUser.email, current_password: '' };
  };
  return (
    <Section id="profile" title={ACCOUNT_SECTIONS.profile.label}>
      <SavedForm form={form} save={save} isReader={false} saved="Saved.">
        <TextInput label="Name" autoComplete="name" maxLength={200} {...form.getInputProps('name')} />
        <TextInput
          label="Email address"
          type="email"
          autoComplete="email"
          readOnly={provider !== null}
          description={
            provider === null ? 'You use it to sign in.' : `Managed by ${provider}, so you can’t change it here.`
          }
          {...form.getInputProps('email')}
        />
        {hasPassword && isChanged && (
          <PasswordInput
            label="Your password"
            description="Required to confirm the change"
            autoComplete="current-password"
            {...form.getInputProps('current_password')}
          />
        )}
      </SavedForm>
    </Section>
  );
}
