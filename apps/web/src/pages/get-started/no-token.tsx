import { Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { client, data, type Project } from '../../api/client.js';
import { projectsQuery, tokensQuery } from '../../api/queries.js';
import { ActionForm } from '../../ui/action-form.js';
import { TextLink } from '../../ui/text-link.js';

export default function NoToken({ project, mayMake }: { project: Project; mayMake: boolean }) {
  const { id, is_demo: isDemo } = project;
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: {} });
  const createToken = async (): Promise<void> => {
    await data(client.POST('/api/projects/{id}/tokens', { params: { path: { id } }, body: {} }));
    await queryClient.invalidateQueries({ queryKey: tokensQuery(id).queryKey, exact: true });
  };
  if (isDemo) return <DemoNote />;
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

/** Links from the demo project to one for the user's own site. */
function DemoNote() {
  const { data: projects } = useQuery(projectsQuery);
  const own = projects?.find(({ is_demo: isDemo }) => !isDemo);
  return (
    <Text size="sm">
      This is the demo project, whose visits are generated.{' '}
      {own === undefined ? (
        <TextLink to="/projects" size="sm">
          Create a project for your site
        </TextLink>
      ) : (
        <TextLink to="/projects/$projectId/get-started" params={{ projectId: own.id }} size="sm">
          Connect your site to “{own.name}”
        </TextLink>
      )}
    </Text>
  );
}
