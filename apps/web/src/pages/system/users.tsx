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
import { describeLosses } from './losses.js';

const COLUMNS: readonly Column<Account>[] = [
  { key: 'name', label: 'Name', value: ({ name }) => name },
  { key: 'email', label: 'Email address', value: ({ email }) => email },
  { key: 'administrator', label: 'Administrator', isFixed: true, value: (user) => user.is_admin },
  { key: 'projects', label: 'Projects', isNumber: true, value: ({ projects }) => projects },
  { key: 'seen', label: 'Last seen', isTime: true, value: (user) => user.last_seen_at },
];
const NO_ACCOUNTS: readonly Account[] = [];

interface PasswordResetLink {
  email: string;
  url: string;
  expires_at: string;
}

/** All accounts on this instance. @param selfId Account ID of the signed-in user. */
export function Users({ selfId }: { selfId: string | null }) {
  const users = useQuery(usersQuery);
  const list = useSorted(users.data ?? NO_ACCOUNTS, COLUMNS);
  const queryClient = useQueryClient();
  const [removalTarget, setRemovalTarget] = useState<Account | null>(null);
  const [demotionTarget, setDemotionTarget] = useState<Account | null>(null);
  const [resetTarget, setResetTarget] = useState<Account | null>(null);
  const [secondFactorOwner, setSecondFactorOwner] = useState<Account | null>(null);
  const [passkeyOwner, setPasskeyOwner] = useState<Account | null>(null);
  const [createdLink, setCreatedLink] = useState<PasswordResetLink | null>(null);
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
  const createLink = async (email: string): Promise<void> => {
    setCreatedLink(await data(client.POST('/api/password-resets', { body: { email } })));
  };
  return (
    <Section title="Accounts" lead="People who can sign in. To add someone, invite them to a project.">
      {users.isPending && <Loader size="sm" />}
      {users.isError && <Failure error={users.error} title="Couldn’t load the accounts" />}
      {list.rows.length > 0 && <TableTools isList columns={COLUMNS} {...list} page="accounts" />}
      <ul className={classes['list']}>
        {list.rows.map((user) => (
          <UserItem
            key={user.id}
            user={user}
            isSelf={user.id === selfId}
            onRemove={() => setRemovalTarget(user)}
            onDemote={() => setDemotionTarget(user)}
            onReset={() => setResetTarget(user)}
            onRemoveSecondFactor={() => setSecondFactorOwner(user)}
            onRemovePasskeys={() => setPasskeyOwner(user)}
            onChanged={refresh}
          />
        ))}
      </ul>
      {createdLink && (
        <OneTimeLink
          link={createdLink}
          title={`Send this link to ${createdLink.email}`}
          what="the link for a new password"
        />
      )}
      {removalTarget && (
        <Confirm
          title={`Remove ${removalTarget.name}'s account?`}
          label="Remove account"
          action={() => remove(removalTarget.id)}
          onClose={() => setRemovalTarget(null)}
        >
          {removalTarget.email} is signed out immediately and loses all projects. {describeLosses(removalTarget, true)}{' '}
          {ACCESS_TOKEN_NOTE} This can’t be undone.
        </Confirm>
      )}
      {demotionTarget && (
        <Confirm
          title={`Remove administrator rights from ${demotionTarget.name}?`}
          label="Remove rights"
          action={() => demote(demotionTarget.id)}
          onClose={() => setDemotionTarget(null)}
        >
          {demotionTarget.email} keeps their account and project roles. {describeLosses(demotionTarget, false)}{' '}
          {ACCESS_TOKEN_NOTE}
        </Confirm>
      )}
      {secondFactorOwner && (
        <Confirm
          title={`Remove ${secondFactorOwner.name}'s second factor?`}
          label="Remove second factor"
          action={() => removeSecondFactor(secondFactorOwner.id)}
          onClose={() => setSecondFactorOwner(null)}
        >
          {secondFactorOwner.email} can then sign in with only a password until they set up a new second factor. Make
          sure the request really came from them.
        </Confirm>
      )}
      {passkeyOwner && (
        <Confirm
          title={`Remove all of ${passkeyOwner.name}'s passkeys?`}
          label="Remove passkeys"
          action={() => removePasskeys(passkeyOwner.id)}
          onClose={() => setPasskeyOwner(null)}
        >
          {passkeyOwner.email} is signed out of sessions started with a passkey and must sign in with their password
          {passkeyOwner.has_second_factor && ' and second factor'}. Make sure the request really came from them.
        </Confirm>
      )}
      {resetTarget && (
        <Confirm
          title={`Reset ${resetTarget.name}'s password?`}
          label="Create link"
          action={() => createLink(resetTarget.email)}
          onClose={() => setResetTarget(null)}
        >
          Creates a link that works once and expires after a day. The current password and sessions stay valid until
          it’s used.
        </Confirm>
      )}
    </Section>
  );
}

const ACCESS_TOKEN_NOTE =
  'Access tokens keep working, so no site stops reporting. Replace any tokens this person has seen and must no longer use.';

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

function UserItem({ user, isSelf, onChanged, ...handlers }: UserItemProps) {
  const change = useMutation({
    mutationFn: async () => {
      const path = { userId: user.id };
      await data(client.PATCH('/api/users/{userId}', { params: { path }, body: { is_admin: true } }));
      await onChanged();
    },
  });
  const hiddenName = <span className="unseen"> {user.name}</span>;
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
            {user.email};{' '}
            {user.is_admin ? 'all projects' : `${user.projects} ${user.projects === 1 ? 'project' : 'projects'}`};{' '}
            {isSelf ? (
              'active now'
            ) : user.last_seen_at === null ? (
              'never signed in'
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
            onClick={() => (user.is_admin ? handlers.onDemote() : change.mutate())}
          >
            {user.is_admin ? 'Remove administrator rights' : 'Make administrator'}
            {hiddenName}
          </Button>
          {user.has_password && (
            <Button size="compact-sm" variant="default" onClick={handlers.onReset}>
              Reset password{hiddenName}
            </Button>
          )}
          {user.has_second_factor && !isSelf && (
            <Button size="compact-sm" variant="default" onClick={handlers.onRemoveSecondFactor}>
              Remove second factor{hiddenName}
            </Button>
          )}
          {user.passkeys > 0 && !isSelf && (
            <Button size="compact-sm" variant="default" onClick={handlers.onRemovePasskeys}>
              Remove passkeys{hiddenName}
            </Button>
          )}
          {!isSelf && (
            <Button size="compact-sm" variant="default" c="var(--failed)" onClick={handlers.onRemove}>
              Remove{hiddenName}
            </Button>
          )}
        </Group>
      </Group>
      {change.isError && <Failure error={change.error} />}
    </li>
  );
}
