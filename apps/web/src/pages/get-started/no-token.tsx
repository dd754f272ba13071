import { Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { client, data } from '../../api/client.js';
import { tokensQuery } from '../../api/queries.js';
import { ActionForm } from '../../ui/action-form.js';

export function NoToken({ projectId, mayMake }: { projectId: string; mayMake: boolean }) {
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: {} });
  const createToken = async (): Promise<void> => {
    await data(client.POST('/api/projects/{id}/tokens', { params: { path: { id: projectId } }, body: {} }));
    await queryClient.invalidateQueries({ queryKey: tokensQuery(projectId).queryKey, exact: true });
  };
  return (
    <>
      <Text size="sm">This project has no active access token, so it can’t receive visits.</Text>
      {mayMake && (
        <ActionForm form={form} action={createToken} submit="Create access token">
          {null}
        </ActionForm>
      )}
    </>
  );
}
