import { useQueryClient } from '@tanstack/react-query';
import { client, versioned, type ProjectChange, type Versioned, type Project } from './client.js';
import { ifMatch, rememberOwn } from './if-match.js';
import { projectQuery, projectsQuery } from './queries.js';

type Change = (change: ProjectChange, etag: string | null) => Promise<Versioned<Project>>;

/** Changes a project's settings, unless somebody else has changed that version; every page that shows them follows. */
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
