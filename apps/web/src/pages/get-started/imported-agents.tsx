import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { overviewQuery, type Range } from '../../api/statistics.js';
import { formatCount } from '../../format/count.js';
import { AgentMark } from '../../ui/agent-mark.js';
import { TextLink } from '../../ui/text-link.js';
import classes from './imported-agents.module.css';

const MAX_AGENTS = 5;
/** Imported visits are counted in the background, so the first response may be incomplete. */
const POLL_INTERVAL_MS = 2_000;
const MAX_UPDATES = 15;

interface ImportedAgentsProps {
  projectId: string;
  /** Range of the imported visits. */
  range: Range;
}

/** The agents that visited most often in an imported log. */
export default function ImportedAgents({ projectId, range }: ImportedAgentsProps) {
  const { data: overview } = useQuery({
    ...overviewQuery(projectId, { ...range, compareFrom: 'none' }),
    refetchInterval: ({ state }) => state.dataUpdateCount < MAX_UPDATES && POLL_INTERVAL_MS,
  });
  const agents = overview?.top_agents.slice(0, MAX_AGENTS) ?? [];
  if (agents.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        Most frequent agents
      </Text>
      <ol className={classes['agents']} aria-label="Most frequent agents">
        {agents.map(({ agent_id: id, agent_token: token, operator_name: operator, visits }) => (
          <li key={id} className={classes['agent']}>
            <AgentMark name={token ?? ''} operator={operator} />
            <TextLink
              to="/projects/$projectId/agents/$agentId"
              params={{ projectId, agentId: id }}
              search={range}
              size="sm"
            >
              {token ?? 'No longer in the catalog'}
            </TextLink>
            <span className="numbers">{formatCount(visits)}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
