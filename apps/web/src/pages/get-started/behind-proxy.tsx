import { Text } from '@mantine/core';
import { TextLink } from '../../ui/text-link.js';

export function BehindProxy({ projectId }: { projectId: string }) {
  return (
    <Text size="sm" c="dimmed">
      Visits are reported with the connection’s address. Behind a proxy or content delivery network, that’s the proxy’s
      address. Leave the code as it is. In{' '}
      <TextLink to="/projects/$projectId/settings" params={{ projectId }} size="sm">
        Settings
      </TextLink>
      , select how visitors reach the site. The visitor’s address is then read from headers such as X-Forwarded-For.
    </Text>
  );
}
