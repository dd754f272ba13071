import { Code, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { RejectedRequest } from '../../api/client.js';
import { rejectedRequestsQuery, sessionQuery, unknownTokenRequestsQuery } from '../../api/queries.js';
import { Failure } from '../../ui/failure.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';
import classes from '../../ui/list.module.css';

/** Lists the project's rejected requests. Administrators also see requests with unknown tokens. */
export function RejectedRequests({ projectId }: { projectId: string }) {
  const rejected = useQuery(rejectedRequestsQuery(projectId));
  const session = useQuery(sessionQuery);
  const isAdmin = session.data?.user?.is_admin ?? false;
  const unknownTokenRequests = useQuery({ ...unknownTokenRequestsQuery, enabled: isAdmin });
  return (
    <Section
      title="Rejected requests"
      lead="The last 10 rejected requests that used this project’s tokens, and the reason for each."
    >
      {rejected.isPending && <Loader size="sm" />}
      {rejected.isError && <Failure error={rejected.error} retry={() => void rejected.refetch()} />}
      {rejected.data?.length === 0 && (
        <Text size="sm">
          None. When your site sends an invalid report or uses a revoked token, the request appears here with the
          reason.
        </Text>
      )}
      <RequestList requests={rejected.data ?? []} />
      {isAdmin && unknownTokenRequests.data !== undefined && unknownTokenRequests.data.length > 0 && (
        <Stack gap={4}>
          <Title order={3} fz="sm">
            Requests with unknown tokens
          </Title>
          <Text size="xs" c="dimmed">
            These requests can’t be matched to a project. Only administrators can see them.
          </Text>
          <RequestList requests={unknownTokenRequests.data.slice(0, 10)} />
        </Stack>
      )}
    </Section>
  );
}

function RequestList({ requests }: { requests: RejectedRequest[] }) {
  if (requests.length === 0) return null;
  return (
    <ul className={classes['list']}>
      {requests.map((request) => (
        <li key={request.id} className={classes['item']}>
          <Group gap="xs" fz="sm">
            <Text size="sm" fw={600} component="span" className="numbers">
              {request.status}
            </Text>
            <Text size="sm" component="span">
              {request.title}
            </Text>
          </Group>
          <Text size="sm">
            {request.pointer !== null && request.pointer !== '' && (
              <>
                <Code>{request.pointer}</Code>{' '}
              </>
            )}
            {request.detail}
          </Text>
          <Text size="xs" c="dimmed">
            {request.method} {request.path}
            {request.token_name !== null && <> with “{request.token_name}”</>} from {request.client_address},{' '}
            {request.times > 1 && <>{request.times} times, </>}
            <RelativeTime time={request.refused_at} />
          </Text>
        </li>
      ))}
    </ul>
  );
}
