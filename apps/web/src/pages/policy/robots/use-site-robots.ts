import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { robotsVersionQuery, robotsVersionsQuery } from '../../../api/robots-versions.js';

/** Queries the robots.txt file that the site serves now. `isPending` is false if it serves none. */
export function useSiteRobots(projectId: string) {
  const hosts = useInfiniteQuery(robotsVersionsQuery(projectId));
  const served = hosts.data?.pages[0]?.hosts.find(({ version }) => version?.status === 200)?.version;
  const file = useQuery({ ...robotsVersionQuery(projectId, served?.id ?? ''), enabled: served != null });
  return { file: file.data, isPending: hosts.isPending || file.isLoading };
}
