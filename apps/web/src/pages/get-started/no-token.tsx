import { Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { client, data, type Project } from '../../api/client.js';
import { tokensQuery } from '../../api/queries.js';
import { ActionForm } from '../../ui/action-form.js';

export default function NoToken({ project, mayMake }: { project: Project; mayMake: boolean }) {
  const { id, is_demo: isDemo } = project;
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: {} });
  const createToken = async (): Promise<void> => {
    await data(client.POST('/api/projects/{id}/tokens', { params: { path: { id } }, body: {} }));
    await queryClient.invalidateQueries({ queryKey: tokensQuery(id).queryKey, exact: true });
  };
  if (isDemo) {
    return (
      <Text size="sm">
        The visits of this demo project are generated, so it needs no access token. To receive visits from your site,
        use another project.
      </Text>
    );
  }
  return (
    <>
      <Text size="sm">This project has no active access token, so your site can’t report new visits.</Text>
      {mayMake && (
        <ActionForm form={form} action={createToken} submit="Create access token">
          {null}
        </ActionForm>
      )}
    </>
  );
}
