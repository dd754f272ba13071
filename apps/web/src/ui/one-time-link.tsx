import { Text } from '@mantine/core';
import { resolveInstanceLink } from '../public-url.js';
import { OneTimeNotice } from './one-time-notice.js';
import { RelativeTime } from './relative-time.js';
import { Snippet } from './snippet.js';

interface OneTimeLinkProps {
  link: { url: string; expires_at: string };
  /** Instruction, such as "Send this link". */
  title: string;
  /** Name of the link for screen readers, such as "the invitation link". */
  what: string;
}

/** Link that works once. A localhost link is shown with the page's origin instead. */
export const OneTimeLink = ({ link, title, what }: OneTimeLinkProps) => (
  <OneTimeNotice title={`${title}. It works once`}>
    <Snippet text={resolveInstanceLink(link.url, location.origin)} what={what} />
    <Text size="xs" c="dimmed">
      Expires <RelativeTime time={link.expires_at} />
    </Text>
  </OneTimeNotice>
);
