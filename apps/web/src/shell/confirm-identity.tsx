import { Button, Group, Loader, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { ownAccountQuery } from '../api/account-queries.js';
import { client, data } from '../api/client.js';
import { ActionForm } from '../ui/action-form.js';
import { Failure } from '../ui/failure.js';
import { required } from '../ui/password.js';
import { CodeInput } from '../ui/code-input.js';
import { useReturnFocus } from '../ui/use-return-focus.js';

/** Dialog that asks users to confirm their identity before actions that require a recent sign-in. */
export default function ConfirmIdentity({ onDone }: { onDone: (isConfirmed: boolean) => void }) {
  useReturnFocus();
  const account = useQuery(ownAccountQuery);
  const { href } = useLocation();
  const hasSecondFactor = account.data?.second_factor != null;
  const form = useForm({
    initialValues: { password: '', code: '' },
    validate: {
      password: required('your password'),
      code: (code) => (hasSecondFactor ? required('a code')(code) : null),
    },
  });
  const confirm = async ({ password, code }: typeof form.values): Promise<void> => {
    await data(client.POST('/api/session/confirmation', { body: { password, ...(hasSecondFactor && { code }) } }));
    onDone(true);
  };
  return (
    <Modal
      opened
      zIndex={400}
      onClose={() => onDone(false)}
      title="Confirm that it’s you"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="sm">
        <Text size="sm">It’s been a while since you signed in. To continue, confirm that it’s still you.</Text>
        {account.isPending && <Loader size="sm" />}
        {account.isError && <Failure error={account.error} retry={() => void account.refetch()} />}
        {account.data?.has_password === false && (
          <>
            <Text size="sm">You’ll come back to this page, but anything you typed will be lost.</Text>
            <Group justify="flex-end">
              <Button variant="default" onClick={() => onDone(false)}>
                Cancel
              </Button>
              <Button component="a" href={`/api/session/oidc?return_to=${encodeURIComponent(href)}`}>
                Sign in with {account.data.provider ?? 'your provider'}
              </Button>
            </Group>
          </>
        )}
        {account.data?.has_password && (
          <ActionForm
            form={form}
            action={confirm}
            submit="Confirm"
            aside={
              <Button variant="default" onClick={() => onDone(false)}>
                Cancel
              </Button>
            }
          >
            <PasswordInput
              label="Password"
              autoComplete="current-password"
              autoFocus
              data-autofocus
              {...form.getInputProps('password')}
            />
            {hasSecondFactor && <CodeInput {...form.getInputProps('code')} />}
          </ActionForm>
        )}
      </Stack>
    </Modal>
  );
}
