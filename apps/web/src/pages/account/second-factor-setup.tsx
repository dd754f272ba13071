import { Button, Code, Group, Loader, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { client, data } from '../../api/client.js';
import { ActionForm } from '../../ui/action-form.js';
import { CodeInput } from '../../ui/code-input.js';
import { Failure } from '../../ui/failure.js';
import { required } from '../../ui/password.js';

const QrCode = lazy(() => import('./qr-code.js'));

/**
 * Sets up an authenticator app.
 *
 * @param onDone Called with the recovery codes after activation.
 */
export function SecondFactorSetup({ onDone }: { onDone: (codes: string[]) => Promise<unknown> }) {
  const [pendingSetup, setPendingSetup] = useState<{ secret: string; url: string } | null>(null);
  const startSetup = useMutation({
    mutationFn: async () => setPendingSetup(await data(client.POST('/api/account/second-factor', { body: {} }))),
  });
  const form = useForm({ initialValues: { code: '' }, validate: { code: required('the code from your app') } });
  const activate = async (body: { code: string }): Promise<void> => {
    const { recovery_codes: codes } = await data(client.PUT('/api/account/second-factor', { body }));
    await onDone(codes);
  };
  if (pendingSetup === null) {
    return (
      <>
        {startSetup.isError && <Failure error={startSetup.error} />}
        <Group>
          <Button variant="default" loading={startSetup.isPending} onClick={() => startSetup.mutate()}>
            Set up an authenticator app
          </Button>
        </Group>
      </>
    );
  }
  return (
    <Stack gap="sm">
      <Text size="sm">
        Scan this QR code with your authenticator app, or enter this key: <Code>{pendingSetup.secret}</Code>
      </Text>
      <Suspense fallback={<Loader size="sm" />}>
        <QrCode text={pendingSetup.url} label="QR code for your authenticator app" />
      </Suspense>
      <ActionForm form={form} action={activate} submit="Turn on">
        <CodeInput
          label="Code"
          description="The current code from your app. Turning this on signs out your other sessions."
          {...form.getInputProps('code')}
        />
      </ActionForm>
    </Stack>
  );
}
