import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { robotsVersionQuery, robotsVersionsQuery } from '../api/robots-versions.js';

/** Queries the robots.txt file that the site serves now. `isPending` is false if it serves none. */
export function useSiteRobots(projectId: string) {
  const hosts = useInfiniteQuery(robotsVersionsQuery(projectId));
  const all = hosts.data?.pages[0]?.hosts ?? [];
  const host = all.find(({ version }) => version?.status === 200) ?? all[0];
  const served = host?.version?.status === 200 ? host.version : undefined;
  const file = useQuery({ ...robotsVersionQuery(projectId, served?.id ?? ''), enabled: served !== undefined });
  return { host, file: file.data, isPending: hosts.isPending || file.isLoading };
}
