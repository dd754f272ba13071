import { Badge, Button, Group, Loader, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client, data } from '../../api/client.js';
import type { RevealedSharedLink, SharedLink } from '#libs/contracts';
import { resolveInstanceLink } from '../../public-url.js';
import { ActionForm } from '../../ui/action-form.js';
import { useClock } from '../../ui/use-clock.js';
import { Confirm } from '../../ui/confirm.js';
import { OneTimeNotice } from '../../ui/one-time-notice.js';
import { Failure } from '../../ui/failure.js';
import { NewPasswordInput } from '../../ui/new-password-input.js';
import { validatePasswordLength, required } from '../../ui/password.js';
import { LastUsed } from '../../ui/last-used.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';
import { Badges } from './badges.js';
import { sharedLinksQuery } from './shared-links-query.js';
import { LabeledSnippet } from '../../ui/labeled-snippet.js';
import classes from '../../ui/list.module.css';

type NewLink = RevealedSharedLink;

const EXPIRY_OPTIONS = [
  { value: '', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];

export interface SharingProps {
  projectId: string;
  isOwner: boolean;
}

export default function Sharing({ projectId, isOwner }: SharingProps) {
  const links = useQuery(sharedLinksQuery(projectId));
  const queryClient = useQueryClient();
  const [newLink, setNewLink] = useState<NewLink | null>(null);
  const [linkToRevoke, setLinkToRevoke] = useState<SharedLink | null>(null);
  const pages = links.data?.filter((link) => !link.is_badge);
  const refresh = () => queryClient.invalidateQueries(sharedLinksQuery(projectId));
  const form = useForm({
    initialValues: { name: '', password: '', expires_in_days: '' },
    validate: {
      name: required('a name'),
      password: (password) => (password === '' ? null : validatePasswordLength(password)),
    },
  });
  const path = { id: projectId };
  const create = async ({ name, password, expires_in_days: days }: typeof form.values): Promise<void> => {
    const body = {
      name: name.trim(),
      ...(password !== '' && { password }),
      ...(days !== '' && { expires_in_days: Number(days) }),
    };
    setNewLink(await data(client.POST('/api/projects/{id}/shared-links', { params: { path }, body })));
    form.reset();
    await refresh();
  };
  const revoke = async (linkId: string): Promise<void> => {
    await data(client.DELETE('/api/projects/{id}/shared-links/{linkId}', { params: { path: { ...path, linkId } } }));
    if (newLink?.id === linkId) setNewLink(null);
    await refresh();
  };
  return (
    <Stack>
      <Section
        title="Shared links"
        lead="Anyone with a shared link can view this project’s overview, including page paths, without an account. Individual visits, addresses and headers stay hidden."
      >
        {links.isPending && <Loader size="sm" />}
        {links.isError && <Failure error={links.error} retry={() => void links.refetch()} />}
        {pages?.length === 0 && <Text size="sm">The overview isn’t shared.</Text>}
        <ul className={classes['list']}>
          {pages?.map((link) => (
            <LinkItem key={link.id} link={link} isOwner={isOwner} onRevoke={() => setLinkToRevoke(link)} />
          ))}
        </ul>
        {newLink && <NewLinkSnippets link={newLink} />}
        {isOwner ? (
          <ActionForm form={form} action={create} submit="Create link">
            <TextInput
              label="Link name"
              placeholder="Who the link is for"
              maxLength={200}
              {...form.getInputProps('name')}
            />
            <NewPasswordInput label="Password (optional)" name={form.values.name} {...form.getInputProps('password')} />
            <NativeSelect label="Expires" data={EXPIRY_OPTIONS} {...form.getInputProps('expires_in_days')} />
          </ActionForm>
        ) : (
          <Text size="sm" c="dimmed">
            Only project owners can create or revoke links.
          </Text>
        )}
        {linkToRevoke && (
          <Confirm
            title={`Revoke “${linkToRevoke.name}”?`}
            label="Revoke link"
            action={() => revoke(linkToRevoke.id)}
            onClose={() => setLinkToRevoke(null)}
          >
            The page and its embeds will stop working immediately. This can’t be undone.
          </Confirm>
        )}
      </Section>
      <Badges projectId={projectId} isOwner={isOwner} badges={links.data?.filter((link) => link.is_badge) ?? []} />
    </Stack>
  );
}

function NewLinkSnippets({ link }: { link: NewLink }) {
  const url = resolveInstanceLink(link.url ?? '', location.origin);
  const embedCode = `<iframe src="${url}?embed" title="Agent traffic" width="100%" height="900" style="border: 0"></iframe>`;
  return (
    <OneTimeNotice title="Copy the link now">
      <LabeledSnippet label="Link" text={url} what="the link" />
      <LabeledSnippet label="Embed in a page" text={embedCode} what="the embed code" />
      <Text size="sm" c="dimmed">
        Anyone who sees the embed code also has the link.
      </Text>
    </OneTimeNotice>
  );
}

function LinkItem({ link, isOwner, onRevoke }: { link: SharedLink; isOwner: boolean; onRevoke: () => void }) {
  const now = useClock();
  const { expires_at: expiresAt, last_opened_at: lastOpenedAt } = link;
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= now;
  return (
    <li className={classes['item']}>
      <Group justify="space-between" gap="xs">
        <div>
          <Text fw={500} {...(isExpired && { c: 'dimmed' })}>
            {link.name}
          </Text>
          <Text size="xs" c="dimmed">
            created {link.created_by !== null && `by ${link.created_by} `}
            <RelativeTime time={link.created_at} />, <LastUsed time={lastOpenedAt} verb="opened" />,{' '}
            {expiresAt === null ? (
              'never expires'
            ) : (
              <>
                {isExpired ? 'expired' : 'expires'} <RelativeTime time={expiresAt} />
              </>
            )}
          </Text>
        </div>
        <Group gap="xs">
          {link.has_password && (
            <Badge variant="outline" color="gray" c="dimmed" tt="none">
              password
            </Badge>
          )}
          {isOwner && (
            <Button size="compact-sm" variant="default" c="var(--failed)" onClick={onRevoke}>
              Revoke<span className="unseen"> {link.name}</span>
            </Button>
          )}
        </Group>
      </Group>
    </li>
  );
}
