import { useQueryClient } from '@tanstack/react-query';
import { client, versioned, type ProjectChange, type Versioned, type Project } from './client.js';
import { ifMatch, rememberOwn } from './if-match.js';
import { projectQuery, projectsQuery } from './queries.js';

type Change = (change: ProjectChange, etag: string | null) => Promise<Versioned<Project>>;

/**
 * Returns a function that changes a project's settings and updates the cache. It fails if somebody else has changed the
 * settings since that version.
 */
export function useProjectChange(id: string): Change {
  const queryClient = useQueryClient();
  return async (change, etag) => {
    const params = { path: { id } };
    const project: Versioned<Project> = await versioned(
      client.PATCH('/api/projects/{id}', { params, body: change, ...ifMatch(etag) }),
    );
    rememberOwn(etag, project.etag);
    queryClient.setQueryData(projectQuery(id).queryKey, (known) => ({ ...known, ...project }));
    await queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey, exact: true });
    return project;
  };
}
