import { Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { client, data } from '../../../api/client.js';
import { ActionForm } from '../../../ui/action-form.js';
import { required } from '../../../ui/password.js';

interface LockedProps {
  secret: string;
  /** Called with the pass that the server issues for the right password. */
  onOpen: (pass: string) => void;
}

/** Asks for the password of a shared overview. */
export default function Locked({ secret, onOpen }: LockedProps) {
  const form = useForm({ initialValues: { password: '' }, validate: { password: required('the password') } });
  const open = async (body: { password: string }): Promise<void> => {
    const { pass } = await data(client.POST('/api/shared/{secret}/pass', { params: { path: { secret } }, body }));
    onOpen(pass);
  };
  return (
    <Paper withBorder p="lg" maw={420} w="100%" mx="auto">
      <Stack>
        <div>
          <Title order={1}>Shared overview</Title>
          <Text size="sm" c="dimmed" mt={4}>
            This page is password-protected. Ask the person who sent you the link for the password.
          </Text>
        </div>
        <ActionForm form={form} action={open} submit="Open overview">
          <PasswordInput label="Password" autoComplete="off" {...form.getInputProps('password')} />
        </ActionForm>
      </Stack>
    </Paper>
  );
}
