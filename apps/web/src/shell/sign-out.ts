import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { client, data } from '../api/client.js';

/** Ends the session and forgets what it has shown. */
export function useSignOut(): () => Promise<void> {
  const queryClient = useQueryClient();
  const router = useRouter();
  return async () => {
    await data(client.DELETE('/api/session'));
    queryClient.clear();
    await router.navigate({ to: '/sign-in' });
  };
}
