/** Returns the address of the page of another project, without its search. */
export const samePage = (pathname: string, projectId: string, otherId: string): string =>
  pathname.replace(`/projects/${projectId}`, `/projects/${otherId}`);
