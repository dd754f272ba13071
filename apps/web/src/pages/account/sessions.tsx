import { Badge, Button, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getBrowserName } from '#libs/sign-in';
import { ownAccountQuery, type OwnAccount, type OwnSession } from '../../api/account-queries.js';
import { client, data } from '../../api/client.js';
import { Failure } from '../../ui/failure.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';
import classes from '../../ui/list.module.css';
import { ACCOUNT_SECTIONS } from './sections.js';

export function Sessions({ account: { sessions } }: { account: OwnAccount }) {
  return (
    <Section
      id="sessions"
      title={ACCOUNT_SECTIONS.sessions.label}
      lead="Browsers and programs that are signed in. Sessions expire after 30 days without use."
    >
      <ul className={classes['list']}>
        {sessions.map((session) => (
          <SessionItem key={session.id} session={session} />
        ))}
      </ul>
    </Section>
  );
}

function SessionItem({ session }: { session: OwnSession }) {
  const { id, is_current: isCurrent, address, user_agent: userAgent, created_at: createdAt } = session;
  const queryClient = useQueryClient();
  const endSession = useMutation({
    mutationFn: async () => {
      await data(client.DELETE('/api/account/sessions/{sessionId}', { params: { path: { sessionId: id } } }));
      await queryClient.invalidateQueries(ownAccountQuery);
    },
  });
  const program = userAgent?.split(' ', 1)[0];
  const name = getBrowserName(userAgent) ?? (program || 'Unknown browser');
  return (
    <li className={classes['item']}>
      <Group justify="space-between" gap="xs">
        <div>
          <Text fw={500} title={userAgent ?? ''}>
            {name}
          </Text>
          <Text size="xs" c="dimmed">
            {address !== null && `from ${address}, `}signed in <RelativeTime time={createdAt} />
          </Text>
        </div>
        {isCurrent ? (
          <Badge variant="outline" color="gray" c="dimmed" tt="none">
            this session
          </Badge>
        ) : (
          <Button
            size="compact-sm"
            variant="default"
            loading={endSession.isPending}
            onClick={() => endSession.mutate()}
          >
            Sign out {name}
            {address !== null && <span className="unseen"> from {address}</span>}
          </Button>
        )}
      </Group>
      {endSession.isError && <Failure error={endSession.error} />}
    </li>
  );
}
