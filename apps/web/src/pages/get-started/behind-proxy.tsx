import { Text } from '@mantine/core';
import { TextLink } from '../../ui/text-link.js';

/** Says what becomes of the address of a connection that a proxy made. */
export function BehindProxy({ projectId }: { projectId: string }) {
  return (
    <Text size="sm" c="dimmed">
      The address of the connection is reported. Behind a proxy or content delivery network, that is the proxy’s
      address: leave it, and say in{' '}
      <TextLink to="/projects/$projectId/settings" params={{ projectId }} size="sm">
        Settings
      </TextLink>{' '}
      how visitors reach the site. The visitor’s address is then read from headers such as X-Forwarded-For.
    </Text>
  );
}
