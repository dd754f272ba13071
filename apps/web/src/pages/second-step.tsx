import { Button, Code, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { client, data } from '../api/client.js';
import { PublicLayout } from '../shell/public-layout.js';
import { ActionForm } from '../ui/action-form.js';
import { CodeInput } from '../ui/code-input.js';
import { command, INSTALL_LOCATION } from '../ui/command.js';
import { required } from '../ui/password.js';

interface SecondStepProps {
  /** Called once the user is signed in. */
  onDone: () => Promise<unknown>;
  /** Called to return to the password step. */
  onRestart: () => void;
}

/** Prompts for the second factor after the password has been verified. */
export function SecondStep({ onDone, onRestart }: SecondStepProps) {
  const form = useForm({ initialValues: { code: '' }, validate: { code: required('a code') } });
  const finish = async (body: { code: string }): Promise<void> => {
    await data(client.POST('/api/session/second-factor', { body }));
    await onDone();
  };
  return (
    <PublicLayout title="Two-factor authentication" lead="Enter the current code from your authenticator app.">
      <ActionForm
        form={form}
        action={finish}
        submit="Sign in"
        aside={
          <Button variant="default" onClick={onRestart}>
            Start over
          </Button>
        }
      >
        <CodeInput data-autofocus autoFocus {...form.getInputProps('code')} />
      </ActionForm>
      <Text size="sm" c="dimmed">
        Lost access to your app and your recovery codes? An administrator can remove your second factor in System, or on
        the server, {INSTALL_LOCATION}: <Code>{command('remove-second-factor EMAIL')}</Code>
      </Text>
    </PublicLayout>
  );
}
