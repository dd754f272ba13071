import { Text } from '@mantine/core';
import { instanceLink } from '../public-url.js';
import { CopyNow } from './copy-now.js';
import { RelativeTime } from './relative-time.js';
import { Snippet } from './snippet.js';

interface OneTimeLinkProps {
  link: { url: string; expires_at: string };
  /** Instruction, such as "Send this link". */
  title: string;
  /** Name of the link for screen readers, such as "the invitation's link". */
  what: string;
}

/** Link that works once. If it points to localhost, it's shown with the address in the browser instead. */
export const OneTimeLink = ({ link, title, what }: OneTimeLinkProps) => (
  <CopyNow title={`${title}; it works once`}>
    <Snippet text={instanceLink(link.url, location.origin)} what={what} />
    <Text size="xs" c="dimmed">
      Expires <RelativeTime time={link.expires_at} />
    </Text>
  </CopyNow>
);
