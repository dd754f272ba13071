import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { client, data } from '../api/client.js';
import { sessionQuery } from '../api/queries.js';

/** Ends the session and forgets what it has shown. */
export function useSignOut(): () => Promise<void> {
  const queryClient = useQueryClient();
  const router = useRouter();
  return async () => {
    await data(client.DELETE('/api/session'));
    queryClient.setQueryData(sessionQuery.queryKey, (session) => session && { ...session, user: null });
    // A page that is still shown would ask again for what is forgotten.
    await router.navigate({ to: '/sign-in' });
    queryClient.clear();
  };
}
