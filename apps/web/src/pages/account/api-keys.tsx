import { Loader, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ownApiKeysQuery } from '../../api/account-queries.js';
import { client, data } from '../../api/client.js';
import { apiKeysQuery, type ApiKey } from '../../api/system-queries.js';
import { ActionForm } from '../../ui/action-form.js';
import { CopyNow } from '../../ui/copy-now.js';
import { Failure } from '../../ui/failure.js';
import { Section } from '../../ui/section.js';
import { Snippet } from '../../ui/snippet.js';
import classes from '../../ui/list.module.css';
import { ApiKeyItem, RevokeApiKey } from '../../ui/api-key-item.js';
import { endOfDay, expiryFault } from '../../ui/expires.js';
import { ApiKeyReach, reachFaults, reachOf, WHOLE_REACH } from './api-key-reach.js';
import { ACCOUNT_SECTIONS } from './sections.js';

/** The user's own API keys. A key never has more permissions than its user. */
export function OwnApiKeys({ isAdmin }: { isAdmin: boolean }) {
  const keys = useQuery(ownApiKeysQuery);
  const queryClient = useQueryClient();
  const [made, setMade] = useState<{ name: string; key: string } | null>(null);
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  const form = useForm({
    initialValues: { name: '', ...WHOLE_REACH, expires_at: '' },
    validate: { ...reachFaults, expires_at: expiryFault },
  });
  const refresh = async (): Promise<void> => {
    await Promise.all([queryClient.invalidateQueries(ownApiKeysQuery), queryClient.invalidateQueries(apiKeysQuery)]);
  };
  const create = async ({ name, expires_at: day, ...reach }: typeof form.values): Promise<void> => {
    const body = {
      ...(name.trim() !== '' && { name: name.trim() }),
      ...reachOf(reach),
      expires_at: endOfDay(day),
    };
    setMade(await data(client.POST('/api/account/api-keys', { body })));
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
          ? 'For programs and the command line. A key of yours acts as you, within its scopes and projects, and can administer this instance.'
          : 'For programs and the command line. A key of yours acts as you, within its scopes and projects.'
      }
    >
      {keys.isPending && <Loader size="sm" />}
      {keys.isError && <Failure error={keys.error} title="Your API keys can't be shown" />}
      <ul className={classes['list']}>
        {keys.data?.map((key) => (
          <ApiKeyItem key={key.id} apiKey={key} onRevoke={() => setRevoked(key)} />
        ))}
      </ul>
      <ActionForm form={form} action={create} submit="Create API key">
        <TextInput
          label="Key name"
          placeholder="Where it is used, such as laptop"
          maxLength={200}
          {...form.getInputProps('name')}
        />
        <ApiKeyReach form={form} />
        <TextInput
          type="date"
          label="Expires"
          description="The last day (UTC) on which it works; leave it empty for a key that doesn’t expire"
          {...form.getInputProps('expires_at')}
        />
      </ActionForm>
      {made && (
        <CopyNow title={`Copy “${made.name}” now`}>
          <Snippet text={made.key} what="the API key" />
        </CopyNow>
      )}
      {revoked && <RevokeApiKey apiKey={revoked} action={() => revoke(revoked.id)} onClose={() => setRevoked(null)} />}
    </Section>
  );
}
