import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Project } from '../../../api/client.js';
import { refreshRobotsVersions, robotsVersionsQuery, type RobotsTxtHost } from '../../../api/robots-versions.js';
import { formatCount, formatVisitCount } from '../../../format/count.js';
import type { ComplianceAgent } from '../../../api/compliance.js';
import type { LinkedRange } from '../../../range/range.js';
import { AnswerSkeleton } from './answer-skeleton.js';
import { Answer } from '../../../ui/answer.js';
import { Failure } from '../../../ui/failure.js';
import { Listing } from '../../../ui/listing.js';
import { RelativeTime } from '../../../ui/relative-time.js';
import { TextLink } from '../../../ui/text-link.js';
import { COUNT_FILTERS, forCrawlers, visitsLink } from '../../../rules/judged-visit-links.js';
import { countJudged } from '../../../rules/judged-visits.js';
import { useRecentAgents } from '../../../rules/recent-agents.js';
import { readPurposes } from './purposes.js';
import type { RobotsSearch } from './search.js';
import { findKeptOut, readUsage } from './site-state.js';

const MAX_NAMES = 3;

interface RobotsAnswerProps {
  project: Project;
  host: RobotsTxtHost | undefined;
  /** Content of the file that the site serves, or null if it serves none. */
  served: string | null;
  /** Unsaved selection, which links pass on. */
  search: RobotsSearch;
}

/** Sentence about the site's current robots.txt and the agents that ignore it. */
export function RobotsAnswer({ project, host, served, search }: RobotsAnswerProps) {
  const { id } = project;
  const queryClient = useQueryClient();
  const fetching = useMutation({
    mutationFn: () => refreshRobotsVersions(id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: robotsVersionsQuery(id).queryKey }),
  });
  const { range, query } = useRecentAgents(id);
  const checkedAt = host?.checked_at ?? null;
  const hasContradiction = readPurposes(readUsage(served ?? '')).some(({ isContradictory }) => isContradictory);
  if (served !== null && query.isPending) return <AnswerSkeleton />;
  return (
    <Answer
      notes={
        <p>
          {checkedAt === null ? (
            host?.version == null ? (
              'Not fetched yet'
            ) : (
              <>
                {project.is_demo ? 'Sample file, dated' : 'First seen'} <RelativeTime time={host.version.served_from} />
              </>
            )
          ) : (
            <>
              Last fetched <RelativeTime time={checkedAt} />
              {project.host_names.length > 1 && ` from ${host!.host}`}
              {host?.fault != null && `: ${host.fault}`}
            </>
          )}
          {project.role !== 'viewer' && !project.is_demo && (
            <>
              {' · '}
              <Button size="compact-xs" variant="subtle" loading={fetching.isPending} onClick={() => fetching.mutate()}>
                Fetch now
              </Button>
            </>
          )}
          {hasContradiction && (
            <>
              {' · '}
              <TextLink
                to="/projects/$projectId/robots"
                params={{ projectId: id }}
                search={{ ...search, view: 'signals' }}
              >
                Two lines contradict each other
              </TextLink>
            </>
          )}
          {fetching.isError && <Failure error={fetching.error} title="Couldn't fetch robots.txt" />}
        </p>
      }
    >
      {served === null ? (
        <Missing host={host} />
      ) : (
        <Served projectId={id} served={served} range={range} agents={query.data?.agents ?? []} />
      )}
    </Answer>
  );
}

function Missing({ host }: { host: RobotsTxtHost | undefined }) {
  const version = host?.version ?? null;
  if (version === null) return 'Your site’s robots.txt hasn’t been fetched yet, so this draft starts empty.';
  if (version.status !== null && version.status < 500) {
    return 'Your site has no robots.txt, so agents may fetch everything. This draft starts empty.';
  }
  return 'Your site’s robots.txt can’t be fetched, so crawlers must stay away. This draft starts empty.';
}

interface ServedProps {
  projectId: string;
  served: string;
  range: LinkedRange;
  agents: readonly ComplianceAgent[];
}

function Served({ projectId, served, range, agents }: ServedProps) {
  const { names, isEveryone } = findKeptOut(served);
  const crawlers = agents.filter((agent) => !agent.is_user_triggered && countJudged(agent) > 0);
  const ignoring = crawlers.filter(({ disallowed }) => disallowed > 0);
  const link = visitsLink(projectId, range)(forCrawlers(agents, COUNT_FILTERS.disallowed));
  return (
    <>
      Your site’s robots.txt asks{' '}
      {isEveryone ? (
        'all other agents'
      ) : names.length === 0 ? (
        'no agent'
      ) : (
        <Listing items={names.map((name) => ({ key: name, content: name }))} limit={MAX_NAMES} />
      )}{' '}
      to stay away
      {crawlers.length > 0 && (
        <>
          , and{' '}
          {ignoring.length === 0 ? (
            'no crawler ignored it'
          ) : (
            <>
              <TextLink to="/projects/$projectId/compliance" params={{ projectId }} search={{ range: '30d' }} inherit>
                {formatCount(ignoring.length)} of {formatCount(crawlers.length)} crawlers
              </TextLink>{' '}
              ignored it with{' '}
              <TextLink {...link} inherit>
                {formatVisitCount(ignoring.reduce((sum, { disallowed }) => sum + disallowed, 0))}
              </TextLink>
            </>
          )}{' '}
          in the last 30 days
        </>
      )}
      .
    </>
  );
}
