import { Text } from '@mantine/core';
import { CLIENT_ADDRESS_NOTES } from '#libs/agents/vocabulary';
import type { Project } from '../api/client.js';
import { TextLink } from '../ui/text-link.js';

const isPathSet = ({ mode, networks, hops, header }: Project['trusted_proxies']): boolean =>
  mode === 'none' || networks !== undefined || hops !== undefined || header !== undefined;

interface UnconfirmedNoteProps {
  project: Pick<Project, 'id' | 'trusted_proxies' | 'is_demo'>;
  /** Sentence about the consequence for the content next to the note. */
  consequence: string;
}

/** Warns that "verified" can be forged until the project specifies how visitors reach its site. */
export function UnconfirmedPathNote({
  project: { id, trusted_proxies: setting, is_demo: isDemo },
  consequence,
}: UnconfirmedNoteProps) {
  if (isDemo || isPathSet(setting)) return null;
  return (
    <Text size="sm" role="note">
      <b>{CLIENT_ADDRESS_NOTES.unconfirmed_header}</b> {consequence}{' '}
      <TextLink to="/projects/$projectId/get-started" params={{ projectId: id }} hash="visitor-path" size="sm">
        Specify how visitors reach the site
      </TextLink>
    </Text>
  );
}
