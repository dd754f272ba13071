import { Badge, Button, Checkbox, Code, Group, Skeleton, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client, data, type AccessToken } from '../../api/client.js';
import { projectQuery, tokenQuery, tokensQuery } from '../../api/queries.js';
import { ActionForm } from '../../ui/action-form.js';
import { Confirm } from '../../ui/confirm.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Failure } from '../../ui/failure.js';
import { endOfDay, ExpiryInput, ExpiryText } from '../../ui/expires.js';
import { isActive } from '../../ui/is-active.js';
import { LastUsed } from '../../ui/last-used.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';
import type { Column } from '../../ui/sorting.js';
import { TableTools } from '../../ui/table-tools.js';
import { useSorted } from '../../ui/use-sorted.js';
import classes from '../../ui/list.module.css';

/** Columns for sorting and export, which never contain the token values. */
const COLUMNS: readonly Column<AccessToken>[] = [
  { key: 'name', label: 'Name', value: ({ name }) => name },
  { key: 'created', label: 'Created', isTime: true, value: (token) => token.created_at },
  { key: 'creator', label: 'Created by', value: (token) => token.created_by },
  { key: 'used', label: 'Last used', isTime: true, value: (token) => token.last_used_at },
  { key: 'expires', label: 'Expires', isTime: true, value: (token) => token.expires_at },
  { key: 'revoked', label: 'Revoked', isTime: true, value: (token) => token.revoked_at },
];
type Purpose = AccessToken['purposes'][number];

const PURPOSES: readonly (readonly [purpose: Purpose, label: string])[] = [
  ['report', 'Report visits'],
  ['drain', 'Send logs'],
  ['ask', 'Identify requests and get rules'],
  ['forward', 'Verify requests for a proxy'],
];
const NO_TOKENS: readonly AccessToken[] = [];

interface TokensProps {
  projectId: string;
  /** True if the user may list tokens, but not reveal or change them. */
  isReader: boolean;
}

export default function Tokens({ projectId, isReader }: TokensProps) {
  const tokens = useQuery(tokensQuery(projectId));
  const [tokenToRevoke, setTokenToRevoke] = useState<AccessToken | null>(null);
  const list = useSorted(tokens.data ?? NO_TOKENS, COLUMNS);
  const { name: owner, time_zone: timeZone, is_demo: isDemo } = useSuspenseQuery(projectQuery(projectId)).data;
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: tokensQuery(projectId).queryKey, exact: true });
  const form = useForm({
    initialValues: { name: '', expires_at: '', allowed_networks: '', purposes: PURPOSES.map(([purpose]) => purpose) },
    validate: {
      purposes: (purposes) => (purposes.length === 0 ? 'Select at least one purpose' : null),
    },
  });
  const path = { id: projectId };

  const create = async (fields: typeof form.values): Promise<void> => {
    const name = fields.name.trim();
    const networks = fields.allowed_networks.split(/[\s,]+/).filter(Boolean);
    const body = {
      ...(name !== '' && { name }),
      expires_at: endOfDay(fields.expires_at, timeZone),
      allowed_networks: networks,
      purposes: fields.purposes,
    };
    await data(client.POST('/api/projects/{id}/tokens', { params: { path }, body }));
    form.reset();
    await refresh();
  };
  const revoke = async (tokenId: string): Promise<void> => {
    await data(client.DELETE('/api/projects/{id}/tokens/{tokenId}', { params: { path: { ...path, tokenId } } }));
    await refresh();
  };
  const activeTokens = tokens.data?.filter((token) => isActive(token)) ?? [];
  return (
    <Section title="Access tokens" lead="Your site uses an access token to report visits.">
      {tokens.isPending && <Skeleton h={22} animate={false} />}
      {tokens.isError && <Failure error={tokens.error} retry={() => void tokens.refetch()} />}
      {tokens.isSuccess && activeTokens.length === 0 && (
        <Text size="sm">
          {isDemo
            ? 'The demo’s visits are generated, so it needs no token.'
            : 'No active token, so your site can’t report new visits.'}
        </Text>
      )}
      {list.rows.length > 0 && <TableTools isList columns={COLUMNS} {...list} owner={owner} page="access tokens" />}
      <ul className={classes['list']}>
        {list.rows.map((token) => (
          <TokenItem key={token.id} token={token} isReader={isReader} onRevoke={() => setTokenToRevoke(token)} />
        ))}
      </ul>
      {!isReader && (
        <ActionForm form={form} action={create} submit="Create token">
          <TextInput
            label="Token name"
            placeholder="For example, shop-eu"
            maxLength={200}
            {...form.getInputProps('name')}
          />
          <ExpiryInput timeZone={timeZone} {...form.getInputProps('expires_at')} />
          <Textarea
            label="Allowed networks"
            description="IP addresses or networks that may use the token, one per line. Leave empty to allow any."
            placeholder="192.0.2.0/24"
            autosize
            minRows={1}
            maxRows={6}
            spellCheck={false}
            {...form.getInputProps('allowed_networks')}
          />
          <Checkbox.Group
            label="Purposes"
            description="What the token can be used for. A stolen token can’t be used for anything else."
            {...form.getInputProps('purposes')}
          >
            <Group gap="md" mt={4}>
              {PURPOSES.map(([purpose, label]) => (
                <Checkbox key={purpose} value={purpose} label={label} />
              ))}
            </Group>
          </Checkbox.Group>
        </ActionForm>
      )}
      {tokenToRevoke && (
        <Confirm
          title={`Revoke “${tokenToRevoke.name}”?`}
          label="Revoke token"
          action={() => revoke(tokenToRevoke.id)}
          onClose={() => setTokenToRevoke(null)}
        >
          Visits reported with this token will be rejected within 5 seconds. This can't be undone.
          {activeTokens.length === 1 && isActive(tokenToRevoke) && ' It’s the only active token.'}
        </Confirm>
      )}
    </Section>
  );
}

const purposesText = (purposes: readonly Purpose[]): string =>
  PURPOSES.filter(([purpose]) => purposes.includes(purpose))
    .map(([, label]) => label.toLowerCase())
    .join(', ');

function TokenItem({ token, isReader, onRevoke }: { token: AccessToken; isReader: boolean; onRevoke: () => void }) {
  const queryClient = useQueryClient();
  // Don't use `useQuery` here, because it would prompt for the password again on every return to the page.
  const value = useMutation({ mutationFn: () => queryClient.fetchQuery(tokenQuery(token.project_id, token.id)) });
  const isShown = value.isSuccess;
  const isRevoked = token.revoked_at !== null;
  return (
    <li className={classes['item']}>
      <Group justify="space-between" gap="xs">
        <div>
          <Text fw={500} {...(!isActive(token) && { c: 'dimmed' })}>
            {token.name}
          </Text>
          <Text size="xs" c="dimmed">
            ends in <Code>{token.hint}</Code>, created {token.created_by !== null && `by ${token.created_by} `}
            <RelativeTime time={token.created_at} />, <LastUsed time={token.last_used_at} />
            <ExpiryText time={token.expires_at} />
            {token.allowed_networks.length > 0 && `, only from ${token.allowed_networks.join(', ')}`}
            {token.purposes.length < PURPOSES.length && `, only to ${purposesText(token.purposes)}`}
          </Text>
        </div>
        {token.revoked_at !== null && (
          <Badge variant="outline" color="gray" c="dimmed" tt="none">
            revoked <RelativeTime time={token.revoked_at} />
          </Badge>
        )}
        {!isRevoked && !isReader && (
          <Group gap="xs">
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => (isShown ? value.reset() : value.mutate())}
              aria-expanded={isShown}
            >
              {isShown ? 'Hide' : 'Show'}
              <span className="unseen"> {token.name}</span>
            </Button>
            <Button size="compact-sm" variant="default" c="var(--failed)" onClick={onRevoke}>
              Revoke<span className="unseen"> {token.name}</span>
            </Button>
          </Group>
        )}
      </Group>
      {value.isError && <Failure error={value.error} />}
      {value.isSuccess && (
        <Stack gap={4} align="flex-start" mt="xs">
          <Code block w="100%" className={classes['value']}>
            {value.data}
          </Code>
          <CopyButton text={value.data} what={token.name} />
        </Stack>
      )}
    </li>
  );
}
