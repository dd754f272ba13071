import type { ComplianceAgent } from '../../api/compliance.js';
import type { RulesSelection } from '../../api/rules-queries.js';
import type { PolicyException, PolicyRule } from '#libs/contracts';
import {
  isTypeRule,
  readControl,
  typesOf,
  type Choice,
  type Choices,
  type Control,
  type SitePolicy,
} from './controls.js';
import { describeRule } from './rule-text.js';

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
  /** Rules for single agents, results and paths, which differ from the control. */
  exceptions: ExceptionLine[];
}

/** Rule or exception that the controls can't express. */
export interface ExceptionLine {
  id: string;
  text: string;
  mode: PolicyRule['mode'];
  /** Rule that contains the exception. Null for exclusions from robots.txt. */
  rule: PolicyRule | null;
}

export const countVisits = (agent: ComplianceAgent): number =>
  agent.allowed + agent.disallowed + agent.no_rules + agent.unreachable + agent.unknown + agent.spoofed;

function findIgnoring(agent: ComplianceAgent): IgnoringAgent | null {
  // Operators of user-triggered agents state that robots.txt doesn't apply to them.
  if (agent.disallowed > 0 && !agent.is_user_triggered)
    return { agent, reason: 'disallowed', visits: agent.disallowed };
  const refused = agent.allowed_forbidden + agent.disallowed_forbidden;
  // The first refusal couldn't be known in advance.
  return refused > 1 ? { agent, reason: 'refused', visits: refused - 1 } : null;
}

/** Rules for agents of more types are listed once, below all types. */
const MAX_TYPES = 3;

/** Returns the types of agents that the conditions name, or only null if they can apply to many types. */
function findTypes({ visitors = {} }: Pick<PolicyException, 'visitors'>, typeOf: TypeOf): (AgentType | null)[] {
  const { agent_tokens: tokens = [], operators, networks, likely_automated: isForUnknown } = visitors;
  if (operators !== undefined || networks !== undefined || isForUnknown === true) return [null];
  const types = new Set([...typesOf({ visitors }), ...tokens.map(typeOf)]);
  return types.size === 0 || types.size > MAX_TYPES || types.has(null) ? [null] : [...types];
}

/** Returns the type of an agent that visited, or null. */
type TypeOf = (token: string) => AgentType | null;

/** Lists the rules that the controls can't express, exceptions to rules, and exclusions from robots.txt, by type. */
export function listExceptions(
  { rules, selection }: SitePolicy,
  agents: readonly ComplianceAgent[],
): Map<AgentType | null, ExceptionLine[]> {
  const typeOf: TypeOf = (name) => {
    const token = name.toLowerCase();
    const found = agents.find((agent) => agent.agent_token?.toLowerCase() === token);
    return (found?.agent_type_name ?? null) as AgentType | null;
  };
  const byType = new Map<AgentType | null, ExceptionLine[]>();
  const add = (types: readonly (AgentType | null)[], line: ExceptionLine): void => {
    for (const type of types) byType.set(type, [...(byType.get(type) ?? []), line]);
  };
  for (const rule of rules) {
    const { mode, exceptions = [] } = rule;
    if (!isTypeRule(rule)) add(findTypes(rule, typeOf), { id: rule.id, text: describeRule(rule), mode, rule });
    for (const exception of exceptions) {
      const isForAll = exception.visitors === undefined;
      const types = isForAll && isTypeRule(rule) ? typesOf(rule) : findTypes(isForAll ? rule : exception, typeOf);
      const text = describeRule(exception, isForAll ? 'All' : undefined);
      add(types, {
        id: exception.id,
        text: isForAll && types[0] === null ? `${rule.name}: ${text}` : text,
        mode,
        rule,
      });
    }
  }
  const exclude = (name: string, type: AgentType | null): void =>
    add([type], { id: name, text: `${name}: not disallowed in robots.txt`, mode: 'live', rule: null });
  for (const token of selection.excluded_agent_tokens ?? []) exclude(token, typeOf(token));
  for (const operator of selection.excluded_operator_names ?? []) exclude(`Agents of ${operator}`, null);
  return byType;
}

/** Returns a row per agent type, by visits. */
export function createRows(
  types: readonly string[],
  agents: readonly ComplianceAgent[],
  policy: SitePolicy,
  choices: Choices,
): PolicyRow[] {
  const exceptions = listExceptions(policy, agents);
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
        exceptions: exceptions.get(type) ?? [],
      };
    })
    .toSorted((one, other) => other.visits - one.visits);
}

/** Returns true if a row matters: agents of the type visited, or a rule or robots.txt restricts them. */
export const isRelevant = ({ visits, control, choice, exceptions }: PolicyRow): boolean =>
  visits > 0 || exceptions.length > 0 || control.kind !== 'allow' || choice !== undefined;
