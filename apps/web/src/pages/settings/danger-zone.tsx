import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { client, data, type Project } from '../../api/client.js';
import { forgetProject } from '../../shell/use-current-project.js';
import { projectQuery, projectsQuery, sessionQuery, summariesQuery } from '../../api/queries.js';
import { Failure } from '../../ui/failure.js';
import { Section } from '../../ui/section.js';

export function DangerZone({ project }: { project: Project }) {
  const { data: session } = useQuery(sessionQuery);
  const isAdmin = session?.user?.is_admin ?? false;
  return (
    <Section
      title="Delete project"
      lead={
        <>
          Deletes “{project.name}”, including its settings, members, invitations, access tokens, saved filters, chart
          notes, rules, visits and visit counts. The site will no longer be able to report visits. This can't be undone.
        </>
      }
    >
      {isAdmin ? (
        <DeleteProject project={project} />
      ) : (
        <Text size="sm">Only administrators can delete a project. Ask an administrator of this instance.</Text>
      )}
    </Section>
  );
}

function DeleteProject({ project: { id, name } }: { project: Project }) {
  const [typed, setTyped] = useState('');
  const isConfirmed = typed.trim() === name.trim();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const deletion = useMutation({
    mutationFn: () => data(client.DELETE('/api/projects/{id}', { params: { path: { id } } })),
    onSuccess: async () => {
      forgetProject();
      await navigate({ to: '/projects', state: { deletedProject: name } });
      queryClient.removeQueries({ queryKey: projectQuery(id).queryKey });
      for (const { queryKey } of [projectsQuery, summariesQuery]) {
        await queryClient.invalidateQueries({ queryKey, exact: true });
      }
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isConfirmed) deletion.mutate();
      }}
    >
      <Stack gap="sm">
        <TextInput
          label="Type the project's name to confirm"
          placeholder={name}
          autoComplete="off"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        {deletion.isError && <Failure error={deletion.error} title="Couldn't delete the project" />}
        <Group>
          <Button type="submit" color="red" disabled={!isConfirmed} loading={deletion.isPending}>
            Delete project
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
