import { Alert, Code, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { client, data } from '../../api/client.js';
import type { Role } from '../../api/client.js';
import { ActionForm } from '../../shell/action-form.js';
import { instanceLink } from '../../public-url.js';
import { CopyButton } from '../../shell/copy-button.js';
import { Moment } from '../../shell/moment.js';
import { ROLES } from './roles.js';

/** Makes a link that lets somebody in, once. */
export function Invite({ projectId, onInvited }: { projectId: string; onInvited: () => Promise<unknown> }) {
  const [made, setMade] = useState<{ url: string; expires_at: string } | null>(null);
  const form = useForm<{ role: Role }>({ initialValues: { role: 'viewer' } });
  const invite = async (body: { role: Role }): Promise<void> => {
    const path = { id: projectId };
    const invitation = await data(client.POST('/api/projects/{id}/invitations', { params: { path }, body }));
    setMade({ ...invitation, url: instanceLink(invitation.url, location.origin) });
    await onInvited();
  };
  return (
    <>
      <ActionForm form={form} action={invite} submit="Make an invitation">
        <NativeSelect
          label="Invite somebody as"
          data={Object.entries(ROLES).map(([value, { name, may }]) => ({ value, label: `${name}: ${may}` }))}
          {...form.getInputProps('role')}
        />
      </ActionForm>
      {made && (
        <Alert variant="outline" title="Send this link; it works once, and is not shown again" role="status">
          <Stack gap={6} align="flex-start">
            <Code block w="100%" style={{ whiteSpace: 'pre-wrap' }}>
              {made.url}
            </Code>
            <Group gap="xs">
              <CopyButton text={made.url} what="the invitation's link" />
              <Text size="xs" c="dimmed">
                ends <Moment time={made.expires_at} />
              </Text>
            </Group>
          </Stack>
        </Alert>
      )}
    </>
  );
}
