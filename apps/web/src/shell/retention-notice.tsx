import { Alert, Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client, data } from '../api/client.js';
import { retentionQuery } from '../api/system-queries.js';
import { Failure } from '../ui/failure.js';
import { TextLink } from '../ui/text-link.js';

/** Tells administrators of an older instance, until one of them has chosen, that visits of unknown visitors can be kept for less. */
export default function RetentionNotice() {
  const { data: retention } = useQuery(retentionQuery);
  const queryClient = useQueryClient();
  const dismiss = useMutation({
    mutationFn: () => data(client.PUT('/api/system/retention', { body: { unknown_days: null } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['system'] }),
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
        <Button size="compact-sm" variant="default" loading={dismiss.isPending} onClick={() => dismiss.mutate()}>
          Keep them as long as others
        </Button>
      </Group>
      {dismiss.isError && <Failure error={dismiss.error} />}
    </Alert>
  );
}
