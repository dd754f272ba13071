import { CRAWL_PURPOSES, type IdentificationResult } from '#libs/agents/vocabulary';
import type { PolicyAction, PolicyException, PolicyRule } from '#libs/contracts';
import type { RulesSelection } from '../api/rules-queries.js';
import { containsNetwork } from './contains-network.js';

type AgentType = RulesSelection['agent_types'][number];

interface Agent {
  agent_token: string | null;
  agent_type_name: string | null;
  operator_name: string | null;
}

/** All requests by an agent, or some of them. */
export interface Requests extends Agent {
  /** Network that the requests come from, in CIDR notation. Default: any. */
  network?: string;
  /** Results that the requests can have. Default: all. */
  results?: readonly IdentificationResult[];
}

type Conditions = Pick<PolicyException, 'visitors' | 'requests'>;

/** Rule that decides on all requests by an agent, and the action of the rule or of its exception. */
export interface Decision {
  rule: PolicyRule;
  action: PolicyAction;
}

/** Response to all requests by an agent. Null if no rule applies. */
export interface AgentResponse {
  live: Decision | null;
  /** First rule in dry run before the live one. */
  dryRun: Decision | null;
}

/** Returns the agent types of a rule's types and purposes. */
export const typesOf = ({ visitors = {} }: Pick<PolicyRule, 'visitors'>): AgentType[] => [
  ...new Set<AgentType>([
    ...(visitors.agent_types ?? []),
    ...(visitors.purposes ?? []).flatMap((purpose) => [...CRAWL_PURPOSES[purpose].types]),
  ]),
];

/** Returns true if rules apply to certain pages or visitors only, so the agent isn't enough to decide. */
export const isPartial = ({ visitors = {}, requests }: Conditions): boolean =>
  requests !== undefined ||
  visitors.results !== undefined ||
  visitors.networks !== undefined ||
  visitors.likely_automated === true;

/** Returns true if conditions apply to all of an agent's requests. Rules for everyone don't apply to unknown visitors. */
function covers(rule: Conditions, { network, results, ...agent }: Requests): boolean {
  const { results: onlyResults, ...who } = rule.visitors ?? {};
  if (rule.requests !== undefined) return false;
  if (onlyResults !== undefined && results?.every((result) => onlyResults.includes(result)) !== true) return false;
  const includes = (names: readonly string[] | undefined, name: string | null): boolean =>
    name !== null && names?.some((other) => other.toLowerCase() === name.toLowerCase()) === true;
  return (
    (Object.keys(who).length === 0 && (agent.agent_token ?? agent.agent_type_name) !== null) ||
    includes(typesOf(rule), agent.agent_type_name) ||
    includes(who.agent_tokens, agent.agent_token) ||
    includes(who.operators, agent.operator_name) ||
    (network !== undefined && who.networks?.some((other) => containsNetwork(other, network)) === true)
  );
}

/** Finds the first live rule that covers all of an agent's requests, and the first one in dry run before it. */
export function findResponse(rules: readonly PolicyRule[], agent: Requests): AgentResponse {
  const covering = rules.filter((rule) => rule.mode !== 'off' && covers(rule, agent));
  const liveIndex = covering.findIndex(({ mode }) => mode === 'live');
  const first = covering[0];
  const decide = (rule: PolicyRule | undefined): Decision | null =>
    rule === undefined
      ? null
      : { rule, action: (rule.exceptions?.find((exception) => covers(exception, agent)) ?? rule).action };
  return { live: decide(covering[liveIndex]), dryRun: first?.mode === 'dry_run' ? decide(first) : null };
}
