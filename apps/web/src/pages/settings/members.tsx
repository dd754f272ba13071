import { Button, Group, NativeSelect, Skeleton, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { client, data } from '../../api/client.js';
import type { Invitation, Member, Role } from '../../api/client.js';
import { membersQuery, projectQuery, projectsQuery, sessionQuery } from '../../api/queries.js';
import { Confirm } from '../../ui/confirm.js';
import { Failure } from '../../ui/failure.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';
import { Invite } from './invite.js';
import type { Column } from '../../ui/sorting.js';
import { TableTools } from '../../ui/table-tools.js';
import { useSorted } from '../../ui/use-sorted.js';
import classes from '../../ui/list.module.css';
import { ROLES } from './roles.js';

const COLUMNS: readonly Column<Member>[] = [
  { key: 'name', label: 'Name', value: ({ name }) => name },
  { key: 'email', label: 'Email address', value: ({ email }) => email },
  { key: 'role', label: 'Role', value: ({ role }) => ROLES[role].name },
];
const NO_MEMBERS: readonly Member[] = [];

export function Members({ projectId, isOwner }: { projectId: string; isOwner: boolean }) {
  const people = useQuery(membersQuery(projectId));
  const session = useQuery(sessionQuery);
  const list = useSorted(people.data?.members ?? NO_MEMBERS, COLUMNS);
  const owners = people.data?.members.filter(({ role }) => role === 'owner').length;
  const { name: owner } = useSuspenseQuery(projectQuery(projectId)).data;
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: membersQuery(projectId).queryKey });
  const [memberToRemove, setMemberToRemove] = useState<Member | null>(null);
  const [demotion, setDemotion] = useState<{ member: Member; role: Role } | null>(null);
  const [memberLeaving, setMemberLeaving] = useState<Member | null>(null);
  const navigate = useNavigate();
  const [invitationToWithdraw, setInvitationToWithdraw] = useState<Invitation | null>(null);

  const remove = async (userId: string): Promise<void> => {
    const path = { id: projectId, userId };
    await data(client.DELETE('/api/projects/{id}/members/{userId}', { params: { path } }));
    await refresh();
  };
  const leave = async (userId: string): Promise<void> => {
    const path = { id: projectId, userId };
    await data(client.DELETE('/api/projects/{id}/members/{userId}', { params: { path } }));
    await queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey, exact: true });
    await navigate({ to: '/projects' });
    // Remove the cached project. Otherwise, the back button could show it although the user can no longer access it.
    queryClient.removeQueries({ queryKey: projectQuery(projectId).queryKey });
  };
  const change = async (userId: string, role: Role): Promise<void> => {
    const path = { id: projectId, userId };
    await data(client.PATCH('/api/projects/{id}/members/{userId}', { params: { path }, body: { role } }));
    await refresh();
  };
  const withdraw = async (invitationId: string): Promise<void> => {
    const path = { id: projectId, invitationId };
    await data(client.DELETE('/api/projects/{id}/invitations/{invitationId}', { params: { path } }));
    await refresh();
  };
  return (
    <Section title="Members">
      {people.isPending && <Skeleton h={{ base: 97, xs: 64 }} animate={false} />}
      {people.isError && <Failure error={people.error} retry={() => void people.refetch()} />}
      {people.data?.members.length === 0 && (
        <Text size="sm">This project has no members yet. Only administrators have access.</Text>
      )}
      {list.rows.length > 1 && <TableTools isList columns={COLUMNS} {...list} owner={owner} page="members" />}
      <ul className={classes['list']}>
        {list.rows.map((member) => (
          <MemberItem
            key={member.user_id}
            member={member}
            isOwner={isOwner}
            // The API refuses to remove a project's last owner.
            isLastOwner={member.role === 'owner' && owners === 1}
            isSelf={member.user_id === session.data?.user?.id}
            onRemove={() =>
              member.user_id === session.data?.user?.id ? setMemberLeaving(member) : setMemberToRemove(member)
            }
            onDemote={(role) => setDemotion({ member, role })}
            onChange={(role) => change(member.user_id, role)}
          />
        ))}
        {people.data?.invitations.map((invitation) => (
          <li key={invitation.id} className={classes['item']}>
            <Group justify="space-between" gap="xs">
              <div>
                <Text fw={500}>Pending invitation</Text>
                <Text size="xs" c="dimmed">
                  {ROLES[invitation.role].name}, created{' '}
                  {invitation.created_by !== null && `by ${invitation.created_by} `}
                  <RelativeTime time={invitation.created_at} />, expires <RelativeTime time={invitation.expires_at} />
                </Text>
              </div>
              {isOwner && (
                <Button
                  size="compact-sm"
                  variant="default"
                  c="var(--failed)"
                  onClick={() => setInvitationToWithdraw(invitation)}
                >
                  Withdraw invitation
                </Button>
              )}
            </Group>
          </li>
        ))}
      </ul>
      {isOwner && <Invite projectId={projectId} onInvited={refresh} />}
      {memberToRemove && (
        <Confirm
          title={`Remove ${memberToRemove.name}?`}
          label="Remove member"
          action={() => remove(memberToRemove.user_id)}
          onClose={() => setMemberToRemove(null)}
        >
          {memberToRemove.email} will lose access to this project immediately. {lostInvitationsText(memberToRemove)}{' '}
          {TOKENS_NOTE}
        </Confirm>
      )}
      {demotion && (
        <Confirm
          title={`Make ${demotion.member.name} a ${demotion.role}?`}
          label="Change role"
          action={() => change(demotion.member.user_id, demotion.role)}
          onClose={() => setDemotion(null)}
        >
          {demotion.member.email} will no longer be able to change members. {lostInvitationsText(demotion.member)}{' '}
          {demotion.role === 'viewer' && TOKENS_NOTE}
        </Confirm>
      )}
      {memberLeaving && (
        <Confirm
          title={`Leave “${owner}”?`}
          label="Leave project"
          action={() => leave(memberLeaving.user_id)}
          onClose={() => setMemberLeaving(null)}
        >
          {session.data?.user?.is_admin
            ? 'You’ll no longer be a member. As an administrator, you’ll still have access to the project.'
            : `You’ll lose access to this project immediately. ${lostInvitationsText(memberLeaving, 'you')} An owner can invite you again.`}
        </Confirm>
      )}
      {invitationToWithdraw && (
        <Confirm
          title="Withdraw this invitation?"
          label="Withdraw invitation"
          action={() => withdraw(invitationToWithdraw.id)}
          onClose={() => setInvitationToWithdraw(null)}
        >
          Its link will stop working.
        </Confirm>
      )}
    </Section>
  );
}

const TOKENS_NOTE =
  'Access tokens still work, so the site continues to report visits. Replace any tokens that they may have seen.';

function lostInvitationsText({ invitations: count }: Member, who = 'they'): string {
  if (count === 0) return '';
  return `${count} pending ${count === 1 ? 'invitation' : 'invitations'} that ${who} created ${count === 1 ? 'stops' : 'stop'} working.`;
}

interface MemberItemProps {
  member: Member;
  isOwner: boolean;
  isSelf: boolean;
  isLastOwner: boolean;
  onRemove: () => void;
  onDemote: (role: Role) => void;
  onChange: (role: Role) => Promise<void>;
}

function MemberItem({ member, isOwner, isSelf, isLastOwner, onRemove, onDemote, onChange }: MemberItemProps) {
  const change = useMutation({ mutationFn: onChange });
  const choose = (role: Role): void => {
    if (member.role === 'owner' && role !== 'owner') onDemote(role);
    else change.mutate(role);
  };
  return (
    <li className={classes['item']}>
      <Group justify="space-between" gap="xs">
        <div>
          <Text fw={500}>
            {member.name}
            {isSelf && ' (you)'}
          </Text>
          <Text size="xs" c="dimmed">
            {member.email}
          </Text>
        </div>
        {isLastOwner ? (
          <Text size="sm" c="dimmed">
            Only owner
          </Text>
        ) : isOwner ? (
          <Group gap="xs">
            <NativeSelect
              size="xs"
              aria-label={`Role of ${member.name}`}
              value={member.role}
              disabled={change.isPending}
              data={Object.entries(ROLES).map(([value, { name }]) => ({ value, label: name }))}
              onChange={({ currentTarget }) => choose(currentTarget.value as Role)}
            />
            <Button size="compact-sm" variant="default" c="var(--failed)" onClick={onRemove}>
              {isSelf ? 'Leave project' : 'Remove'}
              {!isSelf && <span className="unseen"> {member.name}</span>}
            </Button>
          </Group>
        ) : (
          <Group gap="xs">
            <Text size="sm">{ROLES[member.role].name}</Text>
            {isSelf && (
              <Button size="compact-sm" variant="default" c="var(--failed)" onClick={onRemove}>
                Leave project
              </Button>
            )}
          </Group>
        )}
      </Group>
      {change.isError && <Failure error={change.error} />}
    </li>
  );
}
