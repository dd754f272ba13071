import { useQueryClient } from '@tanstack/react-query';
import { client, data, type Project, type ProjectChange } from './client.js';
import { projectQuery, projectsQuery } from './queries.js';

/** Changes a project's settings; every page that shows them follows. */
export function useProjectChange(id: string): (change: ProjectChange) => Promise<Project> {
  const queryClient = useQueryClient();
  return async (change) => {
    const project: Project = await data(client.PATCH('/api/projects/{id}', { params: { path: { id } }, body: change }));
    queryClient.setQueryData(projectQuery(id).queryKey, (known) => ({ ...known, ...project }));
    await queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey, exact: true });
    return project;
  };
}
