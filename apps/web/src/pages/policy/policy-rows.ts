import type { ComplianceAgent } from '../../api/compliance.js';
import type { RulesSelection } from '../../api/rules-queries.js';
import { readControl, type Choice, type Choices, type Control, type SitePolicy } from './controls.js';

export type AgentType = RulesSelection['agent_types'][number];

/** Agent that visited although robots.txt disallows it, or after it was refused with status 403. */
export interface IgnoringAgent {
  agent: ComplianceAgent;
  reason: 'disallowed' | 'refused';
  visits: number;
}

export interface PolicyRow {
  type: AgentType;
  visits: number;
  /** Agents with visits, most frequent first. */
  agents: ComplianceAgent[];
  ignoring: IgnoringAgent[];
  control: Control;
  /** Unpublished choice. */
  choice: Choice | undefined;
}

const countVisits = (agent: ComplianceAgent): number =>
  agent.allowed + agent.disallowed + agent.no_rules + agent.unreachable + agent.unknown + agent.spoofed;

function findIgnoring(agent: ComplianceAgent): IgnoringAgent | null {
  // Operators of user-triggered agents state that robots.txt doesn't apply to them.
  if (agent.disallowed > 0 && !agent.is_user_triggered)
    return { agent, reason: 'disallowed', visits: agent.disallowed };
  const refused = agent.allowed_forbidden + agent.disallowed_forbidden;
  // The first refusal couldn't be known in advance.
  return refused > 1 ? { agent, reason: 'refused', visits: refused - 1 } : null;
}

/** Returns a row per agent type, by visits. */
export function createRows(
  types: readonly string[],
  agents: readonly ComplianceAgent[],
  policy: SitePolicy,
  choices: Choices,
): PolicyRow[] {
  return (types as AgentType[])
    .map((type) => {
      const ofType = agents.filter((agent) => agent.agent_type_name === type && countVisits(agent) > 0);
      return {
        type,
        visits: ofType.reduce((sum, agent) => sum + countVisits(agent), 0),
        agents: ofType.toSorted((one, other) => countVisits(other) - countVisits(one)),
        ignoring: ofType
          .flatMap((agent) => findIgnoring(agent) ?? [])
          .toSorted(
            (one, other) =>
              Number(other.reason === 'disallowed') - Number(one.reason === 'disallowed') || other.visits - one.visits,
          ),
        control: readControl(policy, type),
        choice: choices[type],
      };
    })
    .toSorted((one, other) => other.visits - one.visits);
}

/** Returns true if a row matters: agents of the type visited, or a rule or robots.txt restricts them. */
export const isRelevant = ({ visits, control, choice }: PolicyRow): boolean =>
  visits > 0 || control.kind !== 'allow' || choice !== undefined;
