import { Checkbox, Loader, TextInput } from '@mantine/core';
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
import { ACCOUNT_SECTIONS } from './sections.js';

/** A person's own keys, which may do what they may. */
export function OwnApiKeys({ isAdmin }: { isAdmin: boolean }) {
  const keys = useQuery(ownApiKeysQuery);
  const queryClient = useQueryClient();
  const [made, setMade] = useState<{ name: string; key: string } | null>(null);
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  const form = useForm({
    initialValues: { name: '', isReadOnly: false, expires_at: '' },
    validate: { expires_at: expiryFault },
  });
  const refresh = async (): Promise<void> => {
    await Promise.all([queryClient.invalidateQueries(ownApiKeysQuery), queryClient.invalidateQueries(apiKeysQuery)]);
  };
  const create = async ({ name, isReadOnly, expires_at: day }: typeof form.values): Promise<void> => {
    const body = {
      ...(name.trim() !== '' && { name: name.trim() }),
      is_read_only: isReadOnly,
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
          ? 'For programs and the command line. A key of yours may do what you may: administer this instance. Create a key that is limited to projects with the command line.'
          : 'For programs and the command line. A key of yours may do what you may, in the same projects.'
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
        <Checkbox
          label="Read-only"
          description="It reads what viewers of your projects may, and changes nothing. Right for an assistant."
          {...form.getInputProps('isReadOnly', { type: 'checkbox' })}
        />
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
