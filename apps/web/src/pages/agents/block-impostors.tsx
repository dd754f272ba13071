import { AgentActions } from '../../actions/agent-actions.js';
import type { FindingLink } from '../../actions/finding.js';
import type { Project } from '../../api/client.js';
import { formatCount, formatVisitCount } from '../../format/count.js';
import { agentFilter } from '../../range/list-link.js';
import type { Range } from '../../range/range.js';

interface BlockImpostorsProps {
  project: Project;
  agent: {
    agent_id: string;
    agent_token: string | null;
    agent_type_name: string | null;
    operator_name: string | null;
    visits: number;
    verification_failed: number;
  };
  range: Range;
  timeZone: string;
  /** Visits that failed verification. */
  visits: FindingLink;
}

/** Button that blocks the visits that fail verification as an agent, or the rule that does. */
export function BlockImpostors({ project, agent, range, timeZone, visits }: BlockImpostorsProps) {
  const name = agentFilter(agent);
  return (
    <AgentActions
      project={project}
      loadFinding={() =>
        Promise.resolve({
          title: `${formatVisitCount(agent.verification_failed)} pretended to be ${name}`,
          facts: [
            ['Agent', [name, agent.operator_name && `by ${agent.operator_name}`].filter(Boolean).join(' ')],
            ['Failed verification', `${formatCount(agent.verification_failed)} of ${formatVisitCount(agent.visits)}`],
          ],
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
      of={`that only claim to be ${name}`}
      blockLabel="Block impostors…"
      requests={[{ ...agent, results: ['verification_failed'] }]}
      canBlock
      canBlockInDryRun
      isPrimary
      isCompact
    />
  );
}
