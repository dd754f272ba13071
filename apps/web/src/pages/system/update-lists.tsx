import { Button, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { client, data, toErrorMessage } from '../../api/client.js';
import { systemQuery, type System } from '../../api/system-queries.js';
import { notify } from '../../notices/notices.js';

/** Lists that are due or being fetched are due again at most this long after the request. */
const MAX_CLAIM_MS = 1_800_000;

/** Button that fetches all lists now. Shows the progress. */
export function UpdateLists({ lists }: { lists: System['catalog']['lists'] }) {
  const queryClient = useQueryClient();
  const [requestedAt, setRequestedAt] = useState<number | null>(null);
  const update = useMutation({
    mutationFn: async () => {
      await data(client.POST('/api/address-lists/refresh'));
      await queryClient.invalidateQueries(systemQuery);
    },
    onSuccess: () => setRequestedAt(Date.now()),
  });
  const remaining =
    requestedAt === null
      ? 0
      : lists.filter(({ next_try_at: at }) => Date.parse(at) < requestedAt + MAX_CLAIM_MS).length;
  const failing = lists.filter(({ fault }) => fault !== null).length;
  useEffect(() => {
    if (requestedAt === null || remaining > 0) return;
    setRequestedAt(null);
    notify({
      text:
        failing === 0
          ? 'All address lists are up to date.'
          : `${lists.length - failing} of ${lists.length} address lists were updated.`,
    });
  }, [requestedAt, remaining, failing, lists.length]);
  return (
    <>
      {update.isError && (
        <Text size="xs" c="var(--failed)" role="alert">
          {toErrorMessage(update.error)}
        </Text>
      )}
      <Button
        size="xs"
        variant={failing > 0 ? 'filled' : 'default'}
        disabled={requestedAt !== null}
        loading={update.isPending}
        onClick={() => update.mutate()}
      >
        {requestedAt === null ? 'Update lists now' : `Updating, ${remaining} left…`}
      </Button>
    </>
  );
}
