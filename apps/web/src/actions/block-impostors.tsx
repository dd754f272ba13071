import type { Project } from '../api/client.js';
import { formatVisitCount } from '../format/count.js';
import { agentFilter } from '../range/list-link.js';
import type { Range } from '../range/range.js';
import { AgentActions } from './agent-actions.js';
import type { FindingLink } from './finding.js';

interface BlockImpostorsProps {
  project: Project;
  agent: {
    agent_id: string;
    agent_token: string | null;
    agent_type_name: string | null;
    operator_name: string | null;
  };
  /** Number of visits that failed verification. */
  failed: number;
  range: Range;
  timeZone: string;
  /** Visits that failed verification. */
  visits: FindingLink;
}

/** Button that blocks the visits that fail verification as an agent, or the rule that does. */
export function BlockImpostors({ project, agent, failed, range, timeZone, visits }: BlockImpostorsProps) {
  const name = agentFilter(agent);
  return (
    <AgentActions
      project={project}
      loadFinding={() =>
        Promise.resolve({
          title: `${formatVisitCount(failed)} pretended to be ${name}`,
          facts: [['Agent', [name, agent.operator_name && `by ${agent.operator_name}`].filter(Boolean).join(' ')]],
          agent: {
            id: agent.agent_id,
            token: agent.agent_token,
            type: agent.agent_type_name,
            operator: agent.operator_name,
          },
          result: 'verification_failed',
          alertKind: 'spoofing',
          range,
          timeZone,
          visits,
        })
      }
      of={`${name} impostors`}
      blockLabel={`Block ${name} impostors…`}
      requests={[{ ...agent, results: ['verification_failed'] }]}
      canBlock
      canBlockInDryRun
      isPrimary
      isCompact
    />
  );
}
