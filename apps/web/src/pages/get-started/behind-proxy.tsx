import { Text } from '@mantine/core';
import { TextLink } from '../../ui/text-link.js';

/** Explains how visitor addresses are determined behind a proxy. */
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
