import { Badge, Button, Group, Loader, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client, data } from '../../api/client.js';
import { apiKeysQuery, usersQuery, type Account } from '../../api/system-queries.js';
import { Confirm } from '../../ui/confirm.js';
import { Failure } from '../../ui/failure.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { OneTimeLink } from '../../ui/one-time-link.js';
import { Section } from '../../ui/section.js';
import type { Column } from '../../ui/sorting.js';
import { TableTools } from '../../ui/table-tools.js';
import { useSorted } from '../../ui/use-sorted.js';
import classes from '../../ui/list.module.css';
import { lossesText } from './losses.js';

const COLUMNS: readonly Column<Account>[] = [
  { key: 'name', label: 'Name', value: ({ name }) => name },
  { key: 'email', label: 'E-mail address', value: ({ email }) => email },
  { key: 'administrator', label: 'Administrator', isFixed: true, value: (user) => user.is_admin },
  { key: 'projects', label: 'Projects', isNumber: true, value: ({ projects }) => projects },
  { key: 'seen', label: 'Last seen', isTime: true, value: (user) => user.last_seen_at },
];
const NONE: readonly Account[] = [];

interface Reset {
  email: string;
  url: string;
  expires_at: string;
}

/** Accounts of all users. @param selfId Account of the current user. */
export function Users({ selfId }: { selfId: string | null }) {
  const users = useQuery(usersQuery);
  const list = useSorted(users.data ?? NONE, COLUMNS);
  const queryClient = useQueryClient();
  const [removed, setRemoved] = useState<Account | null>(null);
  const [demoted, setDemoted] = useState<Account | null>(null);
  const [reset, setReset] = useState<Account | null>(null);
  const [bared, setBared] = useState<Account | null>(null);
  const [keyless, setKeyless] = useState<Account | null>(null);
  const [made, setMade] = useState<Reset | null>(null);
  const refresh = async (): Promise<void> => {
    await Promise.all([queryClient.invalidateQueries(usersQuery), queryClient.invalidateQueries(apiKeysQuery)]);
  };
  const demote = async (userId: string): Promise<void> => {
    await data(client.PATCH('/api/users/{userId}', { params: { path: { userId } }, body: { is_admin: false } }));
    await refresh();
  };
  const remove = async (userId: string): Promise<void> => {
    await data(client.DELETE('/api/users/{userId}', { params: { path: { userId } } }));
    await refresh();
  };
  const removeSecondFactor = async (userId: string): Promise<void> => {
    await data(client.DELETE('/api/users/{userId}/second-factor', { params: { path: { userId } } }));
    await refresh();
  };
  const removePasskeys = async (userId: string): Promise<void> => {
    await data(client.DELETE('/api/users/{userId}/passkeys', { params: { path: { userId } } }));
    await refresh();
  };
  const makeLink = async (email: string): Promise<void> => {
    setMade(await data(client.POST('/api/password-resets', { body: { email } })));
  };
  return (
    <Section title="Accounts" lead="People who can sign in. Invite them to a project to add them.">
      {users.isPending && <Loader size="sm" />}
      {users.isError && <Failure error={users.error} title="The accounts can't be shown" />}
      {list.rows.length > 0 && <TableTools isList columns={COLUMNS} {...list} page="accounts" />}
      <ul className={classes['list']}>
        {list.rows.map((user) => (
          <UserItem
            key={user.id}
            user={user}
            isSelf={user.id === selfId}
            onRemove={() => setRemoved(user)}
            onDemote={() => setDemoted(user)}
            onReset={() => setReset(user)}
            onRemoveSecondFactor={() => setBared(user)}
            onRemovePasskeys={() => setKeyless(user)}
            onChanged={refresh}
          />
        ))}
      </ul>
      {made && <OneTimeLink link={made} title={`Send this link to ${made.email}`} what="the link for a new password" />}
      {removed && (
        <Confirm
          title={`Remove the account of ${removed.name}?`}
          label="Remove"
          action={() => remove(removed.id)}
          onClose={() => setRemoved(null)}
        >
          {removed.email} is signed out immediately and loses all projects. {lossesText(removed, true)} {SEEN_TOKENS}{' '}
          This can't be undone.
        </Confirm>
      )}
      {demoted && (
        <Confirm
          title={`Remove administrator rights from ${demoted.name}?`}
          label="Remove rights"
          action={() => demote(demoted.id)}
          onClose={() => setDemoted(null)}
        >
          {demoted.email} keeps the account and the roles in projects. {lossesText(demoted, false)} {SEEN_TOKENS}
        </Confirm>
      )}
      {bared && (
        <Confirm
          title={`Remove the second factor of ${bared.name}?`}
          label="Remove second factor"
          action={() => removeSecondFactor(bared.id)}
          onClose={() => setBared(null)}
        >
          {bared.email} then signs in with the password alone, until they set up another. Make sure the request really
          comes from them.
        </Confirm>
      )}
      {keyless && (
        <Confirm
          title={`Remove all passkeys of ${keyless.name}?`}
          label="Remove passkeys"
          action={() => removePasskeys(keyless.id)}
          onClose={() => setKeyless(null)}
        >
          {keyless.email} is signed out where a passkey signed them in, and signs in with the password again
          {keyless.has_second_factor && ' and the second factor'}. Make sure the request really comes from them.
        </Confirm>
      )}
      {reset && (
        <Confirm
          title={`Let ${reset.name} choose a new password?`}
          label="Create link"
          action={() => makeLink(reset.email)}
          onClose={() => setReset(null)}
        >
          Creates a link that works once, within a day. The current password and sessions stay valid until it is used.
        </Confirm>
      )}
    </Section>
  );
}

const SEEN_TOKENS =
  'Access tokens keep working, so no site stops reporting; replace those that they have seen and should not use.';

interface UserItemProps {
  user: Account;
  isSelf: boolean;
  onRemove: () => void;
  onDemote: () => void;
  onReset: () => void;
  onRemoveSecondFactor: () => void;
  onRemovePasskeys: () => void;
  onChanged: () => Promise<unknown>;
}

function UserItem({ user, isSelf, onChanged, ...on }: UserItemProps) {
  const change = useMutation({
    mutationFn: async () => {
      const path = { userId: user.id };
      await data(client.PATCH('/api/users/{userId}', { params: { path }, body: { is_admin: true } }));
      await onChanged();
    },
  });
  const unseen = <span className="unseen"> {user.name}</span>;
  return (
    <li className={classes['item']}>
      <Group justify="space-between" gap="xs">
        <div>
          <Group gap={6}>
            <Text fw={500}>
              {user.name}
              {isSelf && ' (you)'}
            </Text>
            {user.is_admin && (
              <Badge variant="outline" color="gray" c="dimmed" tt="none" size="sm">
                administrator
              </Badge>
            )}
          </Group>
          <Text size="xs" c="dimmed">
            {user.email}; {user.projects} {user.projects === 1 ? 'project' : 'projects'};{' '}
            {user.last_seen_at === null ? (
              'not signed in'
            ) : (
              <>
                seen <RelativeTime time={user.last_seen_at} />
              </>
            )}
          </Text>
        </div>
        <Group gap="xs">
          <Button
            size="compact-sm"
            variant="default"
            loading={change.isPending}
            onClick={() => (user.is_admin ? on.onDemote() : change.mutate())}
          >
            {user.is_admin ? 'Remove administrator rights' : 'Make administrator'}
            {unseen}
          </Button>
          {user.has_password && (
            <Button size="compact-sm" variant="default" onClick={on.onReset}>
              New password{unseen}
            </Button>
          )}
          {user.has_second_factor && !isSelf && (
            <Button size="compact-sm" variant="default" onClick={on.onRemoveSecondFactor}>
              Remove second factor{unseen}
            </Button>
          )}
          {user.passkeys > 0 && !isSelf && (
            <Button size="compact-sm" variant="default" onClick={on.onRemovePasskeys}>
              Remove passkeys{unseen}
            </Button>
          )}
          {!isSelf && (
            <Button size="compact-sm" variant="default" c="var(--failed)" onClick={on.onRemove}>
              Remove{unseen}
            </Button>
          )}
        </Group>
      </Group>
      {change.isError && <Failure error={change.error} />}
    </li>
  );
}
