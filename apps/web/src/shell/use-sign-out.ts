import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { client, data } from '../api/client.js';
import { sessionQuery } from '../api/queries.js';
import { clearNotices } from '../notices/notices.js';
import { forgetProject } from './use-current-project.js';

/** Returns a function that signs the user out and clears all cached data and notices. */
export function useSignOut(): () => Promise<void> {
  const queryClient = useQueryClient();
  const router = useRouter();
  return async () => {
    await data(client.DELETE('/api/session'));
    queryClient.setQueryData(sessionQuery.queryKey, (session) => session && { ...session, user: null });
    forgetProject();
    clearNotices();
    // Navigate first, because an open page would refetch the cleared data.
    await router.navigate({ to: '/sign-in' });
    queryClient.clear();
  };
}
