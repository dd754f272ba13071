import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { tokenQuery } from '../api/queries.js';

/** Fills in a token that takes to show first who one is. */
export function ShowToken({ projectId, tokenId }: { projectId: string; tokenId: string }) {
  const queryClient = useQueryClient();
  // Who does not want to is told nothing new by an error.
  const show = (): void => void queryClient.fetchQuery(tokenQuery(projectId, tokenId)).catch(() => undefined);
  return (
    <Button size="compact-sm" variant="default" onClick={show} style={{ alignSelf: 'start' }}>
      Fill in the access token
    </Button>
  );
}
