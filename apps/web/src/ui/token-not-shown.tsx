import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/client.js';
import { tokenQuery } from '../api/queries.js';
import { Failure } from './failure.js';

interface TokenNotShownProps {
  projectId: string;
  tokenId: string;
  error: unknown;
  retry: () => void;
}

/**
 * Replaces a token that could not be loaded. After a 403 response, a button loads it again, which asks the user to
 * confirm their identity. Other errors are shown.
 */
export function TokenNotShown({ projectId, tokenId, error, retry }: TokenNotShownProps) {
  const queryClient = useQueryClient();
  const isRefused = error instanceof ApiError && error.status === 403;
  if (!isRefused) return <Failure error={error} title="The token can't be shown" retry={retry} />;
  // A user who declines to confirm needs no error message.
  const show = (): void => void queryClient.fetchQuery(tokenQuery(projectId, tokenId)).catch(() => undefined);
  return (
    <Button size="compact-sm" variant="default" onClick={show} style={{ alignSelf: 'start' }}>
      Fill in the access token
    </Button>
  );
}
