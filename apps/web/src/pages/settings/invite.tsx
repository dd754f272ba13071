import { NativeSelect } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { client, data } from '../../api/client.js';
import type { Role } from '../../api/client.js';
import { ActionForm } from '../../ui/action-form.js';
import { OneTimeLink } from '../../ui/one-time-link.js';
import { ROLES } from './roles.js';

/** Creates single-use invitation links. */
export function Invite({ projectId, onInvited }: { projectId: string; onInvited: () => Promise<unknown> }) {
  const [invitation, setInvitation] = useState<{ url: string; expires_at: string } | null>(null);
  const form = useForm<{ role: Role }>({ initialValues: { role: 'viewer' } });
  const invite = async (body: { role: Role }): Promise<void> => {
    const path = { id: projectId };
    setInvitation(await data(client.POST('/api/projects/{id}/invitations', { params: { path }, body })));
    await onInvited();
  };
  return (
    <>
      <ActionForm form={form} action={invite} submit="Create invitation">
        <NativeSelect
          label="Invite as"
          description="Creates a link for one person. You send it to them yourself."
          data={Object.entries(ROLES).map(([value, { name, may }]) => ({ value, label: `${name}: ${may}` }))}
          {...form.getInputProps('role')}
        />
      </ActionForm>
      {invitation && <OneTimeLink link={invitation} title="Send this link" what="the invitation link" />}
    </>
  );
}
