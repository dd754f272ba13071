import { Button, Code, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { client, data } from '../api/client.js';
import { PublicLayout } from '../shell/public-layout.js';
import { ActionForm } from '../ui/action-form.js';
import { CodeInput } from '../ui/code-input.js';
import { command, WHERE } from '../ui/command.js';
import { required } from '../ui/password.js';

interface SecondStepProps {
  /** Called after a successful sign-in. */
  onDone: () => Promise<unknown>;
  /** Called to return to the password step. */
  onRestart: () => void;
}

/** Asks for the second factor after the password. */
export function SecondStep({ onDone, onRestart }: SecondStepProps) {
  const form = useForm({ initialValues: { code: '' }, validate: { code: required('a code') } });
  const finish = async (body: { code: string }): Promise<void> => {
    await data(client.POST('/api/session/second-factor', { body }));
    await onDone();
  };
  return (
    <PublicLayout title="Two-factor authentication" lead="Enter the code that your authenticator app shows now.">
      <ActionForm
        form={form}
        action={finish}
        submit="Sign in"
        aside={
          <Button variant="default" onClick={onRestart}>
            Start again
          </Button>
        }
      >
        <CodeInput data-autofocus autoFocus {...form.getInputProps('code')} />
      </ActionForm>
      <Text size="sm" c="dimmed">
        Lost your app and your recovery codes? An administrator can remove your second factor under System, or on the
        server, {WHERE}: <Code>{command('remove-second-factor EMAIL')}</Code>
      </Text>
    </PublicLayout>
  );
}
