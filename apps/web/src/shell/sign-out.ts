import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { client, data } from '../api/client.js';
import { sessionQuery } from '../api/queries.js';

/** Returns a function that ends the session and clears its cached data. */
export function useSignOut(): () => Promise<void> {
  const queryClient = useQueryClient();
  const router = useRouter();
  return async () => {
    await data(client.DELETE('/api/session'));
    queryClient.setQueryData(sessionQuery.queryKey, (session) => session && { ...session, user: null });
    // Leave first: an open page would refetch the cleared data.
    await router.navigate({ to: '/sign-in' });
    queryClient.clear();
  };
}
