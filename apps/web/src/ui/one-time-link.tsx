import { Text } from '@mantine/core';
import { instanceLink } from '../public-url.js';
import { CopyNow } from './copy-now.js';
import { RelativeTime } from './relative-time.js';
import { Snippet } from './snippet.js';

interface OneTimeLinkProps {
  /** As the instance made it. */
  link: { url: string; expires_at: string };
  /** What is to be done with it, as "Send this link". */
  title: string;
  /** What it is, as "the invitation's link". */
  what: string;
}

/** A link that works once, at the address by which people come. */
export const OneTimeLink = ({ link, title, what }: OneTimeLinkProps) => (
  <CopyNow title={`${title}; it works once`}>
    <Snippet text={instanceLink(link.url, location.origin)} what={what} />
    <Text size="xs" c="dimmed">
      Expires <RelativeTime time={link.expires_at} />
    </Text>
  </CopyNow>
);
