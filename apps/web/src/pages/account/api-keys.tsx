import { Loader, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ownApiKeysQuery } from '../../api/account-queries.js';
import { client, data } from '../../api/client.js';
import { apiKeysQuery, type ApiKey } from '../../api/system-queries.js';
import { ActionForm } from '../../ui/action-form.js';
import { OneTimeNotice } from '../../ui/one-time-notice.js';
import { Failure } from '../../ui/failure.js';
import { Disclosure } from '../../ui/disclosure.js';
import { Section } from '../../ui/section.js';
import { Snippet } from '../../ui/snippet.js';
import classes from '../../ui/list.module.css';
import { ApiKeyItem, RevokeApiKey } from '../../ui/api-key-item.js';
import { endOfDay, ExpiryInput } from '../../ui/expires.js';
import { getBrowserTimeZone } from '../../ui/time-zones.js';
import {
  ApiKeyPermissions,
  permissionValidators,
  toPermissionsBody,
  DEFAULT_PERMISSIONS,
} from './api-key-permissions.js';
import { ACCOUNT_SECTIONS } from './sections.js';

/** API keys of the signed-in user. A key never has more permissions than its user. */
export function OwnApiKeys({ isAdmin }: { isAdmin: boolean }) {
  const keys = useQuery(ownApiKeysQuery);
  const queryClient = useQueryClient();
  const timeZone = getBrowserTimeZone();
  const [createdKey, setCreatedKey] = useState<{ name: string; key: string } | null>(null);
  const [keyToRevoke, setKeyToRevoke] = useState<ApiKey | null>(null);
  const form = useForm({
    initialValues: { name: '', ...DEFAULT_PERMISSIONS, expires_at: '' },
    validate: permissionValidators,
  });
  const refresh = async (): Promise<void> => {
    await Promise.all([queryClient.invalidateQueries(ownApiKeysQuery), queryClient.invalidateQueries(apiKeysQuery)]);
  };
  const create = async ({ name, expires_at: day, ...permissions }: typeof form.values): Promise<void> => {
    const body = {
      ...(name.trim() !== '' && { name: name.trim() }),
      ...toPermissionsBody(permissions),
      expires_at: endOfDay(day, timeZone),
    };
    setCreatedKey(await data(client.POST('/api/account/api-keys', { body })));
    form.reset();
    await refresh();
  };
  const revoke = async (keyId: string): Promise<void> => {
    await data(client.DELETE('/api/account/api-keys/{keyId}', { params: { path: { keyId } } }));
    await refresh();
  };
  return (
    <Section
      id="api-keys"
      title={ACCOUNT_SECTIONS['api-keys'].label}
      lead={
        isAdmin
          ? 'For programs and the command line. Keys act on your behalf, within their scopes and projects. With the Admin scope, they can administer this instance.'
          : 'For programs and the command line. Your keys act on your behalf, within their scopes and projects.'
      }
    >
      {keys.isPending && <Loader size="sm" />}
      {keys.isError && <Failure error={keys.error} title="Couldn't load your API keys" />}
      <ul className={classes['list']}>
        {keys.data?.map((key) => (
          <ApiKeyItem key={key.id} apiKey={key} onRevoke={() => setKeyToRevoke(key)} />
        ))}
      </ul>
      <Disclosure label="New API key">
        <ActionForm form={form} action={create} submit="Create API key" variant="default">
          <TextInput
            label="Key name"
            placeholder="Where you’ll use it, such as laptop"
            maxLength={200}
            {...form.getInputProps('name')}
          />
          <ApiKeyPermissions form={form} />
          <ExpiryInput timeZone={timeZone} {...form.getInputProps('expires_at')} />
        </ActionForm>
      </Disclosure>
      {createdKey && (
        <OneTimeNotice title={`Copy “${createdKey.name}” now`}>
          <Snippet text={createdKey.key} what="the API key" />
        </OneTimeNotice>
      )}
      {keyToRevoke && (
        <RevokeApiKey apiKey={keyToRevoke} action={() => revoke(keyToRevoke.id)} onClose={() => setKeyToRevoke(null)} />
      )}
    </Section>
  );
}
