import { Alert, Code, Group, Stack, Text } from '@mantine/core';
import { instanceLink } from '../public-url.js';
import { CopyButton } from './copy-button.js';
import { RelativeTime } from './relative-time.js';

export interface OneTimeLinkProps {
  /** As the instance made it. */
  link: { url: string; expires_at: string };
  /** What is to be done with it, as "Send this link". */
  title: string;
  /** What it is, as "the invitation's link". */
  what: string;
}

/** A link that works once, at the address by which people come. */
export function OneTimeLink({ link, title, what }: OneTimeLinkProps) {
  const url = instanceLink(link.url, location.origin);
  return (
    <Alert variant="outline" title={`${title}; it works once and is not shown again`} role="status">
      <Stack gap={6} align="flex-start">
        <Code block w="100%" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {url}
        </Code>
        <Group gap="xs">
          <CopyButton text={url} what={what} />
          <Text size="xs" c="dimmed">
            ends <RelativeTime time={link.expires_at} />
          </Text>
        </Group>
      </Stack>
    </Alert>
  );
}
