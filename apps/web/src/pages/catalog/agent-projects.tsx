import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { AgentActions } from '../../actions/agent-actions.js';
import { seenAgentsQuery, type Agent } from '../../api/catalog-queries.js';
import type { Project } from '../../api/client.js';
import { SEEN_DAYS } from '../../api/constants.js';
import { projectsQuery } from '../../api/queries.js';
import { formatVisitCount } from '../../format/count.js';
import { agentLink, listLink } from '../../range/list-link.js';
import { useCurrentProject } from '../../shell/use-current-project.js';
import { TextLink } from '../../ui/text-link.js';
import { SEEN_RANGE } from './search.js';

/** Maximum number of projects shown. */
const MAX_PROJECTS = 5;

/** Lists the agent's visits by project, with buttons to block it. Without visits, shows the project opened last. */
export function AgentProjects({ agent }: { agent: Agent }) {
  const { data: seen } = useQuery(seenAgentsQuery);
  const { data: projects = [] } = useQuery(projectsQuery);
  const { id: currentId } = useCurrentProject();
  if (seen === undefined) return null;
  const counts = seen.agents.find(({ agent_id: id }) => id === agent.id)?.projects ?? [];
  const idleProjects = projects.filter(({ id }) => id === currentId || projects.length === 1);
  const rows =
    counts.length === 0
      ? idleProjects.map((project) => ({ project, visits: 0 }))
      : counts.flatMap(({ project_id: projectId, visits }) =>
          projects.filter(({ id }) => id === projectId).map((project) => ({ project, visits })),
        );
  return (
    <Stack gap="xs">
      {rows.slice(0, MAX_PROJECTS).map(({ project, visits }) => (
        <ProjectRow key={project.id} agent={agent} project={project} visits={visits} since={seen.from} />
      ))}
    </Stack>
  );
}

interface ProjectRowProps {
  agent: Agent;
  project: Project;
  visits: number;
  /** Start of the counted range. */
  since: string;
}

function ProjectRow({ agent, project, visits, since }: ProjectRowProps) {
  const visitsLink = listLink(project.id, SEEN_RANGE)({ agent: agent.token });
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm">
        {visits === 0 ? (
          'No visits'
        ) : (
          <TextLink {...visitsLink} inherit>
            {formatVisitCount(visits)}
          </TextLink>
        )}{' '}
        to{' '}
        <TextLink {...agentLink(project.id, agent.id, SEEN_RANGE)} inherit>
          {project.name}
        </TextLink>{' '}
        in the last {SEEN_DAYS} days
      </Text>
      <AgentActions
        project={project}
        of={agent.token}
        canBlock
        requests={[{ agent_token: agent.token, agent_type_name: agent.type, operator_name: agent.operator }]}
        loadFinding={() =>
          Promise.resolve({
            title: `${agent.token} made ${formatVisitCount(visits)} in the last ${SEEN_DAYS} days`,
            facts: [
              ['Agent', agent.token],
              ['Type', agent.type],
              ['Operator', agent.operator ?? 'unknown'],
            ],
            agent: { id: agent.id, token: agent.token, type: agent.type, operator: agent.operator },
            alertKind: 'spike',
            range: { from: since, to: new Date().toISOString() },
            timeZone: project.time_zone,
            visits: visitsLink,
          })
        }
      />
    </Group>
  );
}
