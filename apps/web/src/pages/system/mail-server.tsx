import { Alert, Button, Code, Group, Loader, NativeSelect, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { client, data, versioned, type Versioned } from '../../api/client.js';
import { ifMatch } from '../../api/if-match.js';
import { sessionQuery } from '../../api/queries.js';
import { mailServerQuery, type MailServer } from '../../api/system-queries.js';
import { Confirm } from '../../ui/confirm.js';
import { Failure } from '../../ui/failure.js';
import { Icon } from '../../ui/icon.js';
import { required } from '../../ui/password.js';
import { Remountable, useRemount } from '../../ui/remount.js';
import { SavedForm } from '../../ui/saved-form.js';
import { Section } from '../../ui/section.js';
import {
  choosePort,
  toMailServerChange,
  toMailServerFields,
  validatePort,
  type MailServerFields,
} from './mail-server-fields.js';
import classes from './mail-server.module.css';

const SECURITY_OPTIONS = [
  { value: 'starttls', label: 'STARTTLS' },
  { value: 'tls', label: 'TLS' },
  { value: 'none', label: 'None (plain text)' },
];

/** Environment variable for each field. */
const VARIABLES: Record<string, string> = {
  host: 'SMTP_HOST',
  port: 'SMTP_PORT',
  security: 'SMTP_SECURITY',
  user: 'SMTP_USER',
  password: 'SMTP_PASSWORD',
  from: 'SMTP_FROM',
};

/** Settings of the mail server, with a test. */
export default function MailServerSettings() {
  // Saving sends the ETag of the loaded version, so an old version would cause a conflict.
  const { data: server, error, isFetchedAfterMount } = useQuery({ ...mailServerQuery, refetchOnMount: 'always' });
  return (
    <Section
      id="email"
      title="Email"
      lead="Mail server for alerts, reports and notices of sign-ins. Changes take effect immediately."
    >
      {server === undefined && error !== null && <Failure error={error} title="Couldn’t load the mail server" />}
      {server !== undefined && isFetchedAfterMount ? (
        <Remountable>
          <MailServerForm server={server} />
        </Remountable>
      ) : (
        error === null && <Loader size="sm" />
      )}
    </Section>
  );
}

function MailServerForm({ server }: { server: Versioned<MailServer> }) {
  const queryClient = useQueryClient();
  const remount = useRemount();
  const base = useRef(server);
  const isFromEnvironment = server.source === 'environment';
  const form = useForm<MailServerFields>({
    initialValues: toMailServerFields(server),
    validate: { host: required('the host'), port: validatePort, from: required('the sender') },
  });
  const adopt = async (current: Versioned<MailServer>): Promise<void> => {
    base.current = current;
    queryClient.setQueryData(mailServerQuery.queryKey, current);
    // Other pages show whether emails can be sent.
    await queryClient.invalidateQueries({ refetchType: 'none' });
  };
  const save = async (fields: MailServerFields): Promise<MailServerFields> => {
    const body = toMailServerChange(fields);
    await adopt(await versioned(client.PUT('/api/system/mail-server', { body, ...ifMatch(base.current.etag) })));
    return toMailServerFields(base.current);
  };
  const field = (name: keyof MailServerFields & string, description?: string) => ({
    ...form.getInputProps(name),
    ...(isFromEnvironment
      ? { disabled: true, description: `Set by ${VARIABLES[name]}` }
      : description !== undefined && { description }),
  });
  const { user, security } = form.values;
  return (
    <Stack gap="sm">
      {isFromEnvironment && (
        <Text size="sm">
          Environment variables set the mail server. To set it here, remove <Code>SMTP_HOST</Code> and restart the
          console.
        </Text>
      )}
      <SavedForm
        form={form}
        save={save}
        saved="Saved. The next email uses this server."
        isReader={isFromEnvironment}
        shared={{
          base: base.current,
          adopt: (current) => void adopt(current as unknown as Versioned<MailServer>),
          reload: remount,
        }}
      >
        <div className={classes['fields']}>
          <TextInput
            label="Host"
            placeholder="smtp.example.com"
            maxLength={255}
            autoComplete="off"
            {...field('host')}
          />
          <TextInput
            label="From"
            placeholder="Agent Traffic <alerts@example.com>"
            maxLength={320}
            autoComplete="off"
            {...field('from')}
          />
          <NativeSelect
            label="Encryption"
            data={SECURITY_OPTIONS}
            {...field('security')}
            onChange={({ currentTarget }) => {
              const next = currentTarget.value as MailServer['security'];
              form.setValues({ security: next, port: choosePort(form.getValues(), next) });
            }}
          />
          <TextInput label="Port" inputMode="numeric" maxLength={5} {...field('port')} />
          <TextInput
            label="User"
            maxLength={320}
            autoComplete="off"
            {...field('user', 'Leave empty if none is required.')}
          />
          <PasswordInput
            label="Password"
            maxLength={1_000}
            autoComplete="new-password"
            placeholder={server.has_password ? (isFromEnvironment ? 'Set' : 'Unchanged') : ''}
            {...field('password', server.has_password ? 'Enter a new password to replace it.' : 'Stored encrypted.')}
            {...(user.trim() === '' && { disabled: true })}
          />
        </div>
        {security === 'none' && user.trim() !== '' && !isFromEnvironment && (
          <Text size="sm">The password is sent in plain text. Only use this in a network you trust.</Text>
        )}
      </SavedForm>
      {server.source !== null && <TestEmail isDirty={form.isDirty()} />}
      {server.source === 'dashboard' && <RemoveMailServer onRemoved={remount} />}
    </Stack>
  );
}

function TestEmail({ isDirty }: { isDirty: boolean }) {
  const { data: session } = useQuery(sessionQuery);
  const test = useMutation({
    mutationFn: () => data(client.POST('/api/system/mail-server/test', { body: {} })),
  });
  const { address = '', error = null, response = null } = test.data ?? {};
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Button variant="default" loading={test.isPending} disabled={isDirty} onClick={() => test.mutate()}>
          Send a test email
        </Button>
        <Text size="sm" c="dimmed">
          {isDirty ? 'Save your changes to test them.' : `To ${session?.user?.email ?? 'your address'}`}
        </Text>
      </Group>
      {test.isError && <Failure error={test.error} title="Couldn’t send a test email" />}
      {test.isSuccess && (
        <Alert
          color={error === null ? 'green' : 'red'}
          variant="outline"
          icon={<Icon name={error === null ? 'verified' : 'failed'} />}
          title={error === null ? 'Sent' : 'The test email wasn’t sent'}
        >
          <Text size="sm">
            {error ?? `The mail server accepted the email to ${address}. It should arrive within a few minutes.`}
          </Text>
          {response !== null && (
            <Code block mt={8} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {response}
            </Code>
          )}
        </Alert>
      )}
    </Stack>
  );
}

function RemoveMailServer({ onRemoved }: { onRemoved: () => void }) {
  const queryClient = useQueryClient();
  const [isConfirming, setConfirming] = useState(false);
  const remove = async (): Promise<void> => {
    await data(client.DELETE('/api/system/mail-server'));
    await queryClient.invalidateQueries({ refetchType: 'none' });
    await queryClient.refetchQueries(mailServerQuery);
    onRemoved();
  };
  return (
    <Group>
      <Button variant="subtle" color="red" size="compact-sm" onClick={() => setConfirming(true)}>
        Remove mail server
      </Button>
      {isConfirming && (
        <Confirm
          title="Remove the mail server?"
          label="Remove mail server"
          action={remove}
          onClose={() => setConfirming(false)}
        >
          Alerts, reports and notices of sign-ins are no longer sent by email until you set another mail server.
        </Confirm>
      )}
    </Group>
  );
}
