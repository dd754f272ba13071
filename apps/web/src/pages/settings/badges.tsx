import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SharedLink } from '#libs/contracts';
import { client, data } from '../../api/client.js';
import { resolveInstanceLink } from '../../public-url.js';
import { Confirm } from '../../ui/confirm.js';
import { Failure } from '../../ui/failure.js';
import { Section } from '../../ui/section.js';
import { LabeledSnippet } from '../../ui/labeled-snippet.js';
import { sharedLinksQuery } from './shared-links-query.js';

const ALT = 'Agent visits this month';

interface BadgesProps {
  projectId: string;
  isOwner: boolean;
  badges: readonly SharedLink[];
}

/** Card with the project’s badge, which works without a shared overview. */
export function Badges({ projectId, isOwner, badges }: BadgesProps) {
  const queryClient = useQueryClient();
  const [revoked, setRevoked] = useState<SharedLink | null>(null);
  const path = { id: projectId };
  const refresh = () => queryClient.invalidateQueries(sharedLinksQuery(projectId));
  const create = useMutation({
    mutationFn: () =>
      data(
        client.POST('/api/projects/{id}/shared-links', { params: { path }, body: { name: 'Badge', is_badge: true } }),
      ),
    onSettled: refresh,
  });
  const revoke = async (linkId: string): Promise<void> => {
    await data(client.DELETE('/api/projects/{id}/shared-links/{linkId}', { params: { path: { ...path, linkId } } }));
    await refresh();
  };
  return (
    <Section
      title="Badge"
      lead="An image with this month’s agent visits, for a README or a page. It shows nothing else and doesn’t link to the overview."
    >
      {badges.map((badge) => (
        <BadgeItem key={badge.id} badge={badge} isOwner={isOwner} onRevoke={() => setRevoked(badge)} />
      ))}
      {badges.length === 0 && isOwner && (
        <Group>
          <Button variant="default" loading={create.isPending} onClick={() => create.mutate()}>
            Create badge
          </Button>
        </Group>
      )}
      {badges.length === 0 && !isOwner && (
        <Text size="sm" c="dimmed">
          Only project owners can create a badge.
        </Text>
      )}
      {create.isError && <Failure error={create.error} title="Couldn’t create the badge" />}
      {revoked && (
        <Confirm
          title="Revoke the badge?"
          label="Revoke badge"
          action={() => revoke(revoked.id)}
          onClose={() => setRevoked(null)}
        >
          The image disappears from all pages that show it. This can’t be undone.
        </Confirm>
      )}
    </Section>
  );
}

interface BadgeItemProps {
  badge: SharedLink;
  isOwner: boolean;
  onRevoke: () => void;
}

function BadgeItem({ badge, isOwner, onRevoke }: BadgeItemProps) {
  const url = resolveInstanceLink(badge.badge_url ?? '', location.origin);
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <img src={url} alt={ALT} height={20} />
        {isOwner && (
          <Button size="compact-sm" variant="default" c="var(--failed)" onClick={onRevoke}>
            Revoke badge
          </Button>
        )}
      </Group>
      <LabeledSnippet label="Markdown" text={`![${ALT}](${url})`} what="the Markdown" />
      <LabeledSnippet label="HTML" text={`<img src="${url}" alt="${ALT}" height="20">`} what="the HTML" />
    </Stack>
  );
}
