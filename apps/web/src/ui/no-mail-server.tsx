import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../api/queries.js';
import { TextLink } from './text-link.js';

/** Explains that emails can't be sent. Administrators get a link to the settings. */
export function NoMailServer() {
  const { data: session } = useQuery(sessionQuery);
  return (
    <Text size="sm">
      This instance has no mail server.{' '}
      {session?.user?.is_admin ? (
        <TextLink to="/system" hash="email">
          Set up email
        </TextLink>
      ) : (
        'Ask an administrator to set up email.'
      )}
    </Text>
  );
}
