import { UnfetchedFoldersSkeleton } from './unfetched-folders-skeleton.js';
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
  if (robots.isPending) return <UnfetchedFoldersSkeleton />;
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
  const restricted = [...blocked, ...allowed.filter(({ disallowed }) => disallowed.length > 0)];
  const unlinked = access === null ? names : allowed.map(({ folder }) => folder);
  return (
    <p>
      {restricted.map(({ folder, disallowed }) => (
        <span key={folder}>
          Your {file} disallows {folder} for {describeAgents(disallowed, tokens.length)}.{' '}
        </span>
      ))}
      {unlinked.length > 0 && (
        <>
          {restricted.length > 0 ? (
            'Others'
          ) : access === null ? (
            'Agents'
          ) : (
            <>
              Your {file} allows {unlinked.length === 1 ? 'it' : 'them'}, but agents
            </>
          )}{' '}
          may not have found a link to{' '}
          {blocked.length > 0 ? formatList(unlinked) : unlinked.length === 1 ? 'it' : 'them'}. Add one on a page they
          already fetch.
        </>
      )}
    </p>
  );
}

function describeAgents(disallowed: readonly string[], all: number): string {
  if (disallowed.length === all) return 'every agent that visits';
  const rest = disallowed.length - MAX_NAMED;
  return formatList(rest > 1 ? [...disallowed.slice(0, MAX_NAMED), `${formatCount(rest)} more`] : disallowed);
}
