import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { client, data } from '../../api/client.js';
import { Failure } from '../../ui/failure.js';
import { TextLink } from '../../ui/text-link.js';

export function SampleVisit({ projectId }: { projectId: string }) {
  const sending = useMutation({
    mutationFn: () =>
      data(client.POST('/api/projects/{id}/sample-visits', { params: { path: { id: projectId } }, body: {} })),
  });
  return (
    <>
      <Button variant="default" loading={sending.isPending} onClick={() => sending.mutate()}>
        Send sample visit
      </Button>
      {sending.isSuccess && (
        <Text size="sm" role="status">
          Sample visit recorded.{' '}
          <TextLink
            to="/projects/$projectId/realtime"
            params={{ projectId }}
            search={{ visit: sending.data.visit_id }}
            size="sm"
          >
            Show sample visit
          </TextLink>
        </Text>
      )}
      {sending.isError && <Failure error={sending.error} title="Couldn't send the sample visit" />}
    </>
  );
}
