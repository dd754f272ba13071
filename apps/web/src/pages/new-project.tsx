import { Modal } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { client, data } from '../api/client.js';
import { projectsQuery, summariesQuery } from '../api/queries.js';
import { ActionForm } from '../ui/action-form.js';
import { getBrowserTimeZone } from '../ui/time-zones.js';
import { completeAddress } from '../ui/site-address.js';
import { SITE_RULES, SiteFields } from './site-fields.js';
import { useReturnFocus } from '../ui/use-return-focus.js';

export default function NewProject({ onClose }: { onClose: () => void }) {
  useReturnFocus();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({
    initialValues: { name: '', site_address: '', time_zone: getBrowserTimeZone() },
    validate: SITE_RULES,
  });
  const create = async ({ name, site_address: site, time_zone }: typeof form.values): Promise<void> => {
    const body = { name: name.trim(), site_address: completeAddress(site), time_zone };
    const project = await data(client.POST('/api/projects', { body }));
    // Create a token for the snippets on the next page. Ignore failures, because users can also create a token there.
    const params = { path: { id: project.id } };
    await client.POST('/api/projects/{id}/tokens', { params, body: {} }).catch(() => undefined);
    await Promise.all(
      [projectsQuery, summariesQuery].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })),
    );
    form.reset();
    await navigate({ to: '/projects/$projectId/get-started', params: { projectId: project.id } });
  };
  return (
    <Modal opened onClose={onClose} title="New project" closeButtonProps={{ 'aria-label': 'Close' }}>
      <ActionForm form={form} action={create} submit="Create project">
        <SiteFields form={form} />
      </ActionForm>
    </Modal>
  );
}
