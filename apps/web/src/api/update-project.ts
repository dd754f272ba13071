import { useQueryClient } from '@tanstack/react-query';
import { client, versioned, type ProjectChange, type Versioned, type Project } from './client.js';
import { ifMatch, recordReplacement } from './if-match.js';
import { projectQuery, projectsQuery } from './queries.js';

type UpdateProject = (change: ProjectChange, etag: string | null) => Promise<Versioned<Project>>;

/**
 * Returns a function that saves project settings and updates the cache. It rejects if someone else has changed the
 * settings since the version identified by the ETag.
 */
export function useUpdateProject(id: string): UpdateProject {
  const queryClient = useQueryClient();
  return async (change, etag) => {
    const params = { path: { id } };
    const project: Versioned<Project> = await versioned(
      client.PATCH('/api/projects/{id}', { params, body: change, ...ifMatch(etag) }),
    );
    recordReplacement(etag, project.etag);
    queryClient.setQueryData(projectQuery(id).queryKey, (cached) => ({ ...cached, ...project }));
    await queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey, exact: true });
    return project;
  };
}
