import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/client.js';
import { tokenQuery } from '../api/queries.js';
import { Failure } from './failure.js';

interface TokenNotShownProps {
  projectId: string;
  tokenId: string;
  /** Why it is not there. */
  error: unknown;
  retry: () => void;
}

/** In place of a token: fills it in where that takes to show first who one is; else says why it is not there. */
export function TokenNotShown({ projectId, tokenId, error, retry }: TokenNotShownProps) {
  const queryClient = useQueryClient();
  const isRefused = error instanceof ApiError && error.status === 403;
  if (!isRefused) return <Failure error={error} title="The token can't be shown" retry={retry} />;
  // Who does not want to is told nothing new by an error.
  const show = (): void => void queryClient.fetchQuery(tokenQuery(projectId, tokenId)).catch(() => undefined);
  return (
    <Button size="compact-sm" variant="default" onClick={show} style={{ alignSelf: 'start' }}>
      Fill in the access token
    </Button>
  );
}
