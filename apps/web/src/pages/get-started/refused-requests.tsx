import { Code, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { RefusedRequest } from '../../api/client.js';
import { refusedRequestsQuery, sessionQuery, unknownTokenRequestsQuery } from '../../api/queries.js';
import { Failure } from '../../ui/failure.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';
import classes from '../../ui/list.module.css';

/** Rejected requests of the project. Administrators also see those with unknown tokens. */
export function RefusedRequests({ projectId }: { projectId: string }) {
  const refused = useQuery(refusedRequestsQuery(projectId));
  const session = useQuery(sessionQuery);
  const isAdmin = session.data?.user?.is_admin ?? false;
  const unknown = useQuery({ ...unknownTokenRequestsQuery, enabled: isAdmin });
  return (
    <Section title="Refused requests" lead="The last ten with a token of this project, and what was wrong with each.">
      {refused.isPending && <Loader size="sm" />}
      {refused.isError && <Failure error={refused.error} retry={() => void refused.refetch()} />}
      {refused.data?.length === 0 && (
        <Text size="sm">
          None. When your site sends an invalid report or uses a revoked token, the request appears here with the
          reason.
        </Text>
      )}
      <RequestList requests={refused.data ?? []} />
      {isAdmin && unknown.data !== undefined && unknown.data.length > 0 && (
        <Stack gap={4}>
          <Title order={3} fz="sm">
            With unknown tokens
          </Title>
          <Text size="xs" c="dimmed">
            They belong to no project. Only administrators see them.
          </Text>
          <RequestList requests={unknown.data.slice(0, 10)} />
        </Stack>
      )}
    </Section>
  );
}

function RequestList({ requests }: { requests: RefusedRequest[] }) {
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
