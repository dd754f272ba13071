import type { ComplianceAgent } from '../../api/compliance.js';
import type { RulesSelection } from '../../api/rules-queries.js';
import type { PolicyAction, PolicyException, PolicyRule } from '#libs/contracts';
import { isSameContent } from '../../api/is-same-content.js';
import { findResponse, isPartial, typesOf, type AgentResponse, type Decision } from '../../rules/agent-response.js';
import {
  applyChoices,
  isTypeRule,
  readControl,
  type Choice,
  type Choices,
  type Control,
  type SitePolicy,
  type TypeOf,
} from '../../rules/controls.js';
import { describeAction, describeConditions, listNames, MODE_LABELS } from '../../rules/rule-text.js';

export type AgentType = RulesSelection['agent_types'][number];

/** Agent with visits, and the policy's response to them. */
interface RowAgent {
  agent: ComplianceAgent;
  response: AgentResponse;
}

/** Agent that visited although robots.txt disallows it, or again after status 403. */
export interface IgnoringAgent {
  agent: ComplianceAgent;
  /** `blocked` by a live rule of this policy, or `refused` by the site itself. */
  reason: 'disallowed' | 'blocked' | 'refused';
  visits: number;
}

export interface PolicyRow {
  type: AgentType;
  visits: number;
  /** Agents with visits, most frequent first. */
  agents: RowAgent[];
  ignoring: IgnoringAgent[];
  /** Published control. */
  control: Control;
  /** Unpublished choice. */
  choice: Choice | undefined;
  /** Differences from the control, including unpublished changes. */
  exceptions: ExceptionLine[];
}

/** Agents, results or paths that are treated differently. */
export interface ExceptionLine {
  id: string;
  /** Visitors and requests, such as "GPTBot on /archive/*". */
  who: string;
  /** Null for exclusions from robots.txt. */
  action: PolicyAction | null;
  /** Remark on the mode, such as "dry run: block", or null. */
  note: string | null;
  /** Rule that decides. Null for exclusions from robots.txt. */
  rule: PolicyRule | null;
}

export const countVisits = (agent: ComplianceAgent): number =>
  agent.allowed + agent.disallowed + agent.no_rules + agent.unreachable + agent.unknown + agent.spoofed;

function findIgnoring(agent: ComplianceAgent, rules: readonly PolicyRule[]): IgnoringAgent | null {
  // Operators of user-triggered agents state that robots.txt doesn't apply to them.
  if (agent.disallowed > 0 && !agent.is_user_triggered)
    return { agent, reason: 'disallowed', visits: agent.disallowed };
  const visits = agent.allowed_forbidden + agent.disallowed_forbidden;
  // The first refusal couldn't be known in advance.
  if (visits < 2) return null;
  return { agent, reason: findResponse(rules, agent).live?.action.kind === 'refuse' ? 'blocked' : 'refused', visits };
}

/** Returns a function that finds the type of an agent that visited. */
export const createTypeOf =
  (agents: readonly ComplianceAgent[]): TypeOf =>
  (name) => {
    const token = name.toLowerCase();
    const found = agents.find((agent) => agent.agent_token?.toLowerCase() === token);
    return (found?.agent_type_name ?? null) as AgentType | null;
  };

/** Rules for agents of more types are listed once, below all types. */
const MAX_TYPES = 3;
const REASONS: readonly IgnoringAgent['reason'][] = ['disallowed', 'blocked', 'refused'];

const toNote = (mode: PolicyRule['mode']): string | null => (mode === 'live' ? null : MODE_LABELS[mode].toLowerCase());

/** Splits conditions by agent type, and null for conditions that can apply to several types. */
function splitByType<C extends Pick<PolicyException, 'visitors' | 'requests'>>(
  conditions: C,
  typeOf: TypeOf,
): [AgentType | null, C][] {
  const { visitors = {} } = conditions;
  const { agent_tokens: tokens = [], agent_types: _types, purposes: _purposes, results, ...others } = visitors;
  const types = typesOf({ visitors });
  const named = new Set([...types, ...tokens.map(typeOf)]);
  const isForMany = named.size === 0 || named.size > MAX_TYPES || Object.keys(others).length > 0;
  if (isForMany) return [[null, conditions]];
  return [...named].map((type) => {
    const ofType = tokens.filter((token) => typeOf(token) === type);
    const split = {
      ...(ofType.length > 0 && { agent_tokens: ofType }),
      ...(type !== null && types.includes(type) && { agent_types: [type] }),
      ...(results && { results }),
    };
    return [type, { ...conditions, visitors: split }];
  });
}

/** Lists rules and exceptions that the agent isn't enough to decide on or whose agents didn't visit, by type. */
function listOtherRules({ rules, selection }: SitePolicy, typeOf: TypeOf): Map<AgentType | null, ExceptionLine[]> {
  const byType = new Map<AgentType | null, ExceptionLine[]>();
  const add = (type: AgentType | null, line: ExceptionLine): void =>
    void byType.set(type, [...(byType.get(type) ?? []), line]);
  for (const rule of rules) {
    const note = toNote(rule.mode);
    const parts: readonly PolicyException[] = [...(isTypeRule(rule) ? [] : [rule]), ...(rule.exceptions ?? [])];
    for (const part of parts) {
      const isForAll = part !== rule && part.visitors === undefined;
      for (const [type, split] of splitByType(
        { ...part, ...(isForAll && { visitors: rule.visitors ?? {} }) },
        typeOf,
      )) {
        const isResolved = rule.mode !== 'off' && !isPartial(rule) && !isPartial(part);
        // Agents that visited have their own lines.
        if (isResolved && type !== null && split.visitors?.agent_types === undefined) continue;
        const who = describeConditions(split, isForAll ? 'All' : undefined);
        add(type, {
          id: `${part.id} ${type}`,
          who: isForAll && type === null ? `${rule.name}: ${who}` : who,
          action: part.action,
          note,
          rule,
        });
      }
    }
  }
  const exclude = (name: string, type: AgentType | null): void =>
    add(type, { id: name, who: name, action: null, note: null, rule: null });
  for (const token of selection.excluded_agent_tokens ?? []) exclude(token, typeOf(token));
  for (const operator of selection.excluded_operator_names ?? []) exclude(`Agents of ${operator}`, null);
  return byType;
}

const toAction = (decision: Decision | null): PolicyAction => decision?.action ?? { kind: 'allow' };

/** Lists the agents for which something else happens than for the rest of their type. Groups agents with the same rule. */
function listAgentExceptions(
  rules: readonly PolicyRule[],
  type: AgentType,
  agents: readonly RowAgent[],
): ExceptionLine[] {
  const rest = findResponse(rules, { agent_token: null, agent_type_name: type, operator_name: null });
  const groups = new Map<string, { names: string[]; action: PolicyAction; note: string | null; rule: PolicyRule }>();
  for (const { agent, response } of agents) {
    const { live, dryRun } = response;
    const actions = [live, dryRun ?? live].map(toAction);
    const decision = live ?? dryRun;
    if (decision === null || isSameContent(actions, [rest.live, rest.dryRun ?? rest.live].map(toAction))) continue;
    const [action, trial] = actions as [PolicyAction, PolicyAction];
    const note = isSameContent(action, trial) ? null : `dry run: ${describeAction({ action: trial })}`;
    const rule = isSameContent(action, toAction(rest.live)) ? (dryRun ?? decision).rule : decision.rule;
    const key = JSON.stringify([action, note, rule.id]);
    const group = groups.get(key) ?? { names: [], action, note, rule };
    group.names.push(agent.agent_token ?? 'Deleted agent');
    groups.set(key, group);
  }
  return [...groups].map(([id, { names, action, note, rule }]) => ({
    id,
    who: listNames(names),
    action,
    note,
    rule,
  }));
}

interface PolicyRows {
  /** One row per agent type, by visits. */
  rows: PolicyRow[];
  /** Rules that can apply to several types, or to agents that didn't visit. */
  others: ExceptionLine[];
}

/** Returns the rows of the policy table. */
export function createRows(
  types: readonly string[],
  agents: readonly ComplianceAgent[],
  policy: SitePolicy,
  choices: Choices,
): PolicyRows {
  const typeOf = createTypeOf(agents);
  const after = applyChoices(policy, choices, 'live', typeOf);
  const otherRules = listOtherRules(after, typeOf);
  const rows = (types as AgentType[])
    .map((type): PolicyRow => {
      const ofType = agents
        .filter((agent) => agent.agent_type_name === type && countVisits(agent) > 0)
        .toSorted((one, other) => countVisits(other) - countVisits(one))
        .map((agent): RowAgent => ({ agent, response: findResponse(after.rules, agent) }));
      return {
        type,
        visits: ofType.reduce((sum, { agent }) => sum + countVisits(agent), 0),
        agents: ofType,
        ignoring: ofType
          .flatMap(({ agent }) => findIgnoring(agent, policy.rules) ?? [])
          .toSorted(
            (one, other) => REASONS.indexOf(one.reason) - REASONS.indexOf(other.reason) || other.visits - one.visits,
          ),
        control: readControl(policy, type),
        choice: choices[type],
        exceptions: [...(otherRules.get(type) ?? []), ...listAgentExceptions(after.rules, type, ofType)],
      };
    })
    .toSorted((one, other) => other.visits - one.visits);
  return { rows, others: otherRules.get(null) ?? [] };
}

/** Returns the live rules that block all requests from networks. */
export const findNetworkBlocks = (rules: readonly PolicyRule[]): PolicyRule[] =>
  rules.filter(
    ({ mode, action, visitors, requests, exceptions = [] }) =>
      mode === 'live' &&
      action.kind === 'refuse' &&
      requests === undefined &&
      visitors?.networks !== undefined &&
      visitors.results === undefined &&
      exceptions.length === 0,
  );

/** Returns true if something restricts agents of the type, or some of them ignore the rules. */
export const isRestricted = ({ control, choice, exceptions, ignoring }: PolicyRow): boolean =>
  exceptions.length > 0 || ignoring.length > 0 || control.kind !== 'allow' || choice !== undefined;

/** Returns true if a row matters: agents of the type visited, or a rule or robots.txt restricts them. */
export const isRelevant = ({ visits, control, choice, exceptions }: PolicyRow): boolean =>
  visits > 0 || exceptions.length > 0 || control.kind !== 'allow' || choice !== undefined;
