import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import type { Agent } from '../../api/catalog-queries.js';
import { projectsQuery } from '../../api/queries.js';
import { patternTrialQuery } from '../../api/unlisted-user-agents.js';
import { formatCount } from '../../format/count.js';
import { TextLink } from '../../ui/text-link.js';

const MAX_PROJECTS = 5;

/**
 * Links to the project settings where earlier visits can be re-identified. Omit the agent if several are new.
 */
export function EarlierVisits({ agent }: { agent?: Agent }) {
  const { data: projects = [] } = useQuery(projectsQuery);
  const ownedProjects = projects.filter(({ role = 'owner' }) => role === 'owner');
  if (ownedProjects.length === 0) return null;
  return (
    <Text size="sm">
      New visits are matched against {agent ? 'this agent' : 'them'}. Find earlier visits in{' '}
      {ownedProjects.slice(0, MAX_PROJECTS).map(({ id, name }, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <TextLink
            to="/projects/$projectId/settings"
            params={{ projectId: id }}
            search={{ tab: 'history', ...(agent && { agent: agent.token }) }}
            size="sm"
          >
            {name}
          </TextLink>
          {agent && <MatchingVisits projectId={id} patterns={agent.user_agent_patterns} />}
        </Fragment>
      ))}
      {ownedProjects.length > MAX_PROJECTS && ', or in other projects’ settings'}.
    </Text>
  );
}

/** Uses the visit counts per user agent to estimate how many recent visits would have been attributed to the agent. */
function MatchingVisits({ projectId, patterns }: { projectId: string; patterns: string[] }) {
  const { data: trial } = useQuery({ ...patternTrialQuery(projectId, patterns), enabled: patterns.length > 0 });
  if (trial === undefined || trial.visits === 0) return null;
  return ` (${formatCount(trial.visits)} in the last 7 days)`;
}
