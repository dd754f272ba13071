import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/client.js';
import { tokenQuery } from '../api/queries.js';
import { Failure } from './failure.js';

interface UnloadedTokenProps {
  projectId: string;
  tokenId: string;
  error: unknown;
  retry: () => void;
}

/**
 * Placeholder for a token that couldn't be loaded. After a 403 response, its button retries the request, which asks the
 * user to confirm their identity. Other errors are shown.
 */
export function UnloadedToken({ projectId, tokenId, error, retry }: UnloadedTokenProps) {
  const queryClient = useQueryClient();
  const isForbidden = error instanceof ApiError && error.status === 403;
  if (!isForbidden) return <Failure error={error} title="Couldn't load the token" retry={retry} />;
  // Don't show an error if the user declines to confirm their identity.
  const show = (): void => void queryClient.fetchQuery(tokenQuery(projectId, tokenId)).catch(() => undefined);
  return (
    <Button size="compact-sm" variant="default" onClick={show} style={{ alignSelf: 'start' }}>
      Fill in the access token
    </Button>
  );
}
