import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { client, data, toErrorMessage } from '../api/client.js';
import { notify } from '../notices/notices.js';

/** Button that fetches all address lists now. System shows the progress. */
export function UpdateLists() {
  const update = useMutation({
    mutationFn: () => data(client.POST('/api/address-lists/refresh')),
    onSuccess: () =>
      notify({
        text: 'Updating the address lists. This can take a few minutes.',
        link: { label: 'View progress', to: '/system', hash: 'address-lists' },
      }),
    onError: (error) => notify({ text: `Couldn’t update the lists. ${toErrorMessage(error)}` }),
  });
  return (
    <Button
      size="compact-sm"
      h={28}
      variant="default"
      disabled={update.isPending || update.isSuccess}
      onClick={() => update.mutate()}
    >
      {update.isSuccess ? 'Updating…' : 'Update lists'}
    </Button>
  );
}
