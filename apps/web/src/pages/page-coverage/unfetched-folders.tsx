import type { CoverageAgent, CoverageFolder } from '../../api/coverage.js';
import { formatCount } from '../../format/count.js';
import { formatList } from '../../load/load-text.js';
import { useSiteRobots } from '../../rules/use-site-robots.js';
import { TextLink } from '../../ui/text-link.js';
import { findDisallowed, type FolderAccess } from './robots-access.js';

/** Number of agents named. */
const MAX_NAMED = 3;

interface UnfetchedFoldersProps {
  projectId: string;
  folders: readonly CoverageFolder[];
  agents: readonly CoverageAgent[];
}

/** Sentences about why agents may not fetch folders, and what to do about it. */
export default function UnfetchedFolders({ projectId, folders, agents }: UnfetchedFoldersProps) {
  const robots = useSiteRobots(projectId);
  if (robots.isPending) return <p>&nbsp;</p>;
  const names = folders.flatMap(({ folder }) => folder ?? []);
  const tokens = agents.flatMap(({ agent_token: token }) => token ?? []);
  const access = robots.file?.text == null ? null : findDisallowed(robots.file.text, names, tokens);
  const file = (
    <TextLink to="/projects/$projectId/robots" params={{ projectId }} inherit>
      robots.txt
    </TextLink>
  );
  const isMostlyAllowed = ({ disallowed }: FolderAccess): boolean => 2 * disallowed.length < tokens.length;
  const allowed = access?.filter(isMostlyAllowed) ?? [];
  const blocked = access?.filter((one) => !isMostlyAllowed(one)) ?? [];
  const isForAll = allowed.every(({ disallowed }) => disallowed.length === 0);
  return (
    <p>
      {blocked.map(({ folder, disallowed }) => (
        <span key={folder}>
          Your {file} disallows {folder} for {describeAgents(disallowed, tokens.length)}.{' '}
        </span>
      ))}
      {allowed.length > 0 && (
        <>
          Your {file} allows {formatList(allowed.map(({ folder }) => folder))} for{' '}
          {isForAll ? 'every agent that visits' : 'most agents that visit'}. They may not find any links to{' '}
          {allowed.length === 1 ? 'it' : 'them'}: add some to pages that they do fetch.
        </>
      )}
      {access === null && <>Agents may not find any links to these pages: add some to pages that they do fetch.</>}
    </p>
  );
}

function describeAgents(disallowed: readonly string[], all: number): string {
  if (disallowed.length === all) return 'every agent that visits';
  const rest = disallowed.length - MAX_NAMED;
  return formatList(rest > 1 ? [...disallowed.slice(0, MAX_NAMED), `${formatCount(rest)} more`] : disallowed);
}
