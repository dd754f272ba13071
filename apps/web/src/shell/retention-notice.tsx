import { Alert, Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client, versioned } from '../api/client.js';
import { ifMatch, rememberOwn } from '../api/if-match.js';
import { retentionQuery } from '../api/system-queries.js';
import { Failure } from '../ui/failure.js';
import { TextLink } from '../ui/text-link.js';

/** Tells administrators of an older instance, until one of them has chosen, that visits of unknown visitors can be kept for less. */
export default function RetentionNotice() {
  const { data: retention } = useQuery(retentionQuery);
  const queryClient = useQueryClient();
  const dismiss = useMutation({
    mutationFn: async (etag: string | null) => {
      const chosen = await versioned(
        client.PUT('/api/system/retention', { body: { unknown_days: null }, ...ifMatch(etag) }),
      );
      // The form of the System page is open on the version before, perhaps.
      rememberOwn(etag, chosen.etag);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['system'] }),
  });
  if (retention === undefined || retention.unknown_days_chosen) return null;
  return (
    <Alert variant="outline" color="gray" title="Choose how long to keep visits of unknown visitors" mb="md">
      <Text size="sm">
        They are mostly people's, and can now be deleted sooner than those of agents. Until you choose, they are kept as
        long as other visits.
      </Text>
      <Group gap="md" mt="xs">
        <TextLink to="/system" size="sm">
          Choose on the System page
        </TextLink>
        <Button
          size="compact-sm"
          variant="default"
          loading={dismiss.isPending}
          onClick={() => dismiss.mutate(retention.etag)}
        >
          Keep them as long as others
        </Button>
      </Group>
      {dismiss.isError && <Failure error={dismiss.error} />}
    </Alert>
  );
}
