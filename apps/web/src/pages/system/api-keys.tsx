import { Code, Loader } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client, data } from '../../api/client.js';
import { apiKeysQuery, type ApiKey } from '../../api/system-queries.js';
import { command, INSTALL_LOCATION } from '../../ui/command.js';
import { Failure } from '../../ui/failure.js';
import { Section } from '../../ui/section.js';
import type { Column } from '../../ui/sorting.js';
import { TableTools } from '../../ui/table-tools.js';
import { TextLink } from '../../ui/text-link.js';
import { useSorted } from '../../ui/use-sorted.js';
import classes from '../../ui/list.module.css';
import { ApiKeyItem, RevokeApiKey } from '../../ui/api-key-item.js';

const COLUMNS: readonly Column<ApiKey>[] = [
  { key: 'name', label: 'Name', value: ({ name }) => name },
  { key: 'scopes', label: 'Scopes', isFixed: true, value: ({ scopes }) => scopes.join(', ') },
  {
    key: 'projects',
    label: 'Projects',
    isNumber: true,
    value: ({ project_ids: projects }) => projects?.length ?? null,
  },
  { key: 'person', label: 'Acts as', value: (key) => key.acts_as },
  { key: 'created', label: 'Created', isTime: true, value: (key) => key.created_at },
  { key: 'creator', label: 'Created by', value: (key) => key.created_by },
  { key: 'used', label: 'Last used', isTime: true, value: (key) => key.last_used_at },
  { key: 'expires', label: 'Expires', isTime: true, value: (key) => key.expires_at },
  { key: 'revoked', label: 'Revoked', isTime: true, value: (key) => key.revoked_at },
];
const NO_KEYS: readonly ApiKey[] = [];

export function ApiKeys() {
  const keys = useQuery(apiKeysQuery);
  const list = useSorted(keys.data ?? NO_KEYS, COLUMNS);
  const queryClient = useQueryClient();
  const [keyToRevoke, setKeyToRevoke] = useState<ApiKey | null>(null);
  const revoke = async (id: string): Promise<void> => {
    await data(client.DELETE('/api/api-keys/{id}', { params: { path: { id } } }));
    await queryClient.invalidateQueries(apiKeysQuery);
  };
  return (
    <Section
      title="API keys"
      lead={
        <>
          Programs use API keys to read and administer this instance. Users create their own keys in{' '}
          <TextLink to="/account" hash="api-keys">
            Account
          </TextLink>
          . To create a key for a program, run this command {INSTALL_LOCATION}:{' '}
          <Code>{command('api-keys create')}</Code>
        </>
      }
    >
      {keys.isPending && <Loader size="sm" />}
      {keys.isError && <Failure error={keys.error} title="Couldn’t load the API keys" />}
      {list.rows.length > 0 && <TableTools isList columns={COLUMNS} {...list} page="API keys" />}
      <ul className={classes['list']}>
        {list.rows.map((key) => (
          <ApiKeyItem key={key.id} apiKey={key} isOfAnybody onRevoke={() => setKeyToRevoke(key)} />
        ))}
      </ul>
      {keyToRevoke && (
        <RevokeApiKey apiKey={keyToRevoke} action={() => revoke(keyToRevoke.id)} onClose={() => setKeyToRevoke(null)} />
      )}
    </Section>
  );
}
