import { Anchor, Button, Group, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getBrowserName } from '#libs/sign-in';
import { ownAccountQuery, type OwnAccount } from '../../api/account-queries.js';
import { client, data } from '../../api/client.js';
import { ActionForm } from '../../ui/action-form.js';
import { Confirm } from '../../ui/confirm.js';
import classes from '../../ui/list.module.css';
import { supportsPasskeys, getPasskeyAddress, toPasskeyError } from '../../ui/passkeys.js';
import { required } from '../../ui/password.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';
import { ACCOUNT_SECTIONS } from './sections.js';

type Passkey = OwnAccount['passkeys'][number];

const toPathParams = ({ id }: Passkey) => ({ params: { path: { passkeyId: id } } });

export function Passkeys({ account }: { account: OwnAccount }) {
  const { passkeys, has_password: hasPassword, provider } = account;
  const [passkeyToRemove, setPasskeyToRemove] = useState<Passkey | null>(null);
  const address = getPasskeyAddress(window.location);
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries(ownAccountQuery);
  const form = useForm({
    initialValues: { name: getBrowserName(navigator.userAgent) ?? '' },
    validate: { name: required('a name') },
  });
  const add = async ({ name }: { name: string }): Promise<void> => {
    const { options } = await data(client.POST('/api/account/passkeys/options', { body: {} }));
    const { startRegistration } = await import('@simplewebauthn/browser');
    const credential = await startRegistration({ optionsJSON: options as never }).catch((error: unknown) => {
      throw toPasskeyError(error);
    });
    await data(client.POST('/api/account/passkeys', { body: { name, credential } }));
    await refresh();
  };
  const remove = async (passkey: Passkey): Promise<void> => {
    await data(client.DELETE('/api/account/passkeys/{passkeyId}', toPathParams(passkey)));
    await refresh();
  };
  return (
    <Section
      id="passkeys"
      title={ACCOUNT_SECTIONS.passkeys.label}
      lead="Sign in with your device’s fingerprint, face or PIN instead of your password and a code."
    >
      {!hasPassword && (
        <Text size="sm">
          You sign in with {provider ?? 'single sign-on'}. Passkeys are only available for accounts with a password.
        </Text>
      )}
      <ul className={classes['list']}>
        {passkeys.map((passkey) => (
          <PasskeyItem
            key={passkey.id}
            passkey={passkey}
            onChanged={refresh}
            onRemove={() => setPasskeyToRemove(passkey)}
          />
        ))}
      </ul>
      {hasPassword && supportsPasskeys() && (
        <ActionForm form={form} action={add} submit="Add passkey" variant="default">
          <TextInput label="Passkey name" maxLength={200} {...form.getInputProps('name')} />
        </ActionForm>
      )}
      {hasPassword && !supportsPasskeys() && (
        <Text size="sm">
          Passkeys need HTTPS and a domain name, or localhost.{' '}
          {address === null ? (
            'Ask an administrator for this instance’s HTTPS address.'
          ) : (
            <Anchor href={address} size="sm">
              Open this page on {new URL(address).origin}
            </Anchor>
          )}
        </Text>
      )}
      {passkeyToRemove && (
        <Confirm
          title={`Remove passkey “${passkeyToRemove.name}”?`}
          label="Remove passkey"
          action={() => remove(passkeyToRemove)}
          onClose={() => setPasskeyToRemove(null)}
        >
          You won’t be able to sign in with it. Remove it from your device as well, or the device will keep offering it.
        </Confirm>
      )}
    </Section>
  );
}

interface PasskeyItemProps {
  passkey: Passkey;
  onChanged: () => Promise<unknown>;
  onRemove: () => void;
}

function PasskeyItem({ passkey, onChanged, onRemove }: PasskeyItemProps) {
  // True while the form is open, and null if it has never been open. Once the form closes, the value is false, which
  // returns the focus to the Rename button.
  const [isRenaming, setRenaming] = useState<boolean | null>(null);
  const hiddenName = <span className="unseen"> {passkey.name}</span>;
  if (isRenaming) {
    return (
      <li className={classes['item']}>
        <RenameForm passkey={passkey} onChanged={onChanged} onClose={() => setRenaming(false)} />
      </li>
    );
  }
  return (
    <li className={classes['item']}>
      <Group justify="space-between" gap="xs">
        <div>
          <Text fw={500}>{passkey.name}</Text>
          <Text size="xs" c="dimmed">
            at {passkey.host}, added <RelativeTime time={passkey.created_at} />,{' '}
            {passkey.last_used_at === null ? (
              'never used'
            ) : (
              <>
                last used <RelativeTime time={passkey.last_used_at} />
              </>
            )}
          </Text>
        </div>
        <Group gap="xs">
          <Button
            size="compact-sm"
            variant="default"
            autoFocus={isRenaming === false}
            onClick={() => setRenaming(true)}
          >
            Rename{hiddenName}
          </Button>
          <Button size="compact-sm" variant="default" c="var(--failed)" onClick={onRemove}>
            Remove{hiddenName}
          </Button>
        </Group>
      </Group>
    </li>
  );
}

interface RenameFormProps {
  passkey: Passkey;
  onChanged: () => Promise<unknown>;
  onClose: () => void;
}

function RenameForm({ passkey, onChanged, onClose }: RenameFormProps) {
  const form = useForm({ initialValues: { name: passkey.name }, validate: { name: required('a name') } });
  const rename = async (body: { name: string }): Promise<void> => {
    await data(client.PATCH('/api/account/passkeys/{passkeyId}', { ...toPathParams(passkey), body }));
    await onChanged();
    onClose();
  };
  return (
    <ActionForm
      form={form}
      action={rename}
      submit="Save name"
      aside={
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      }
    >
      <TextInput label="New name" maxLength={200} autoFocus {...form.getInputProps('name')} />
    </ActionForm>
  );
}
