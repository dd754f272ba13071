import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import type { Agent } from '../../api/catalog-queries.js';
import { projectsQuery } from '../../api/queries.js';
import { patternTrialQuery } from '../../api/unlisted.js';
import { countText } from '../../format/count.js';
import { TextLink } from '../../ui/text-link.js';

/** Maximum number of projects shown. */
const MAX_PROJECTS = 5;

/**
 * Links to project settings, where earlier visits can be re-identified. Omit the agent if there are several new ones.
 */
export function EarlierVisits({ agent }: { agent?: Agent }) {
  const { data: projects = [] } = useQuery(projectsQuery);
  const own = projects.filter(({ role = 'owner' }) => role === 'owner');
  if (own.length === 0) return null;
  return (
    <Text size="sm">
      New visits are matched against {agent ? 'this agent' : 'them'}. Find earlier ones in{' '}
      {own.slice(0, MAX_PROJECTS).map(({ id, name }, index) => (
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
          {agent && <WouldName projectId={id} patterns={agent.user_agent_patterns} />}
        </Fragment>
      ))}
      {own.length > MAX_PROJECTS && ', or in the settings of other projects'}.
    </Text>
  );
}

/** Shows how many recent visits would have been attributed to the agent, based on visit counts by user agent. */
function WouldName({ projectId, patterns }: { projectId: string; patterns: string[] }) {
  const { data: trial } = useQuery({ ...patternTrialQuery(projectId, patterns), enabled: patterns.length > 0 });
  if (trial === undefined || trial.visits === 0) return null;
  return ` (would name ${countText(trial.visits)} of the last 7 days)`;
}
