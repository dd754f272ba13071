import { useQuery } from '@tanstack/react-query';
import { useLocation, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Project } from '../api/client.js';
import { projectQuery } from '../api/queries.js';

const STORAGE_KEY = 'project';

interface CurrentProject {
  /** Known before the project is loaded. */
  id: string | undefined;
  project: Project | undefined;
}

/**
 * Returns the project in the URL. On pages outside of projects, returns the last one opened in this tab, except on the
 * project list, where the user is selecting one.
 */
export function useCurrentProject(): CurrentProject {
  const { projectId: requestedId } = useParams({ strict: false });
  const isList = useLocation({ select: ({ pathname }) => pathname === '/projects' });
  const id = requestedId ?? (isList ? undefined : (sessionStorage.getItem(STORAGE_KEY) ?? undefined));
  const { data: project, isError } = useQuery({ ...projectQuery(id ?? ''), enabled: id !== undefined });
  useEffect(() => {
    if (project !== undefined) sessionStorage.setItem(STORAGE_KEY, project.id);
    else if (isError && id === sessionStorage.getItem(STORAGE_KEY)) forgetProject();
  }, [project, isError, id]);
  return isError ? { id: undefined, project: undefined } : { id, project };
}

/** Hides the project on pages outside of projects. */
export const forgetProject = (): void => sessionStorage.removeItem(STORAGE_KEY);
