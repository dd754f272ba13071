import type { PolicyException, PolicyRule } from '#libs/contracts';
import type { ComplianceAgent } from '../../api/compliance.js';
import { typesOf, type Control, type ControlKind } from './controls.js';

export type AgentResponse = ControlKind | 'redirect' | 'dry_run';
type Agent = Pick<ComplianceAgent, 'agent_token' | 'agent_type_name' | 'operator_name'>;

/** Returns true if rules apply to certain pages or visitors only, so the agent isn't enough to decide. */
export const isPartial = ({ visitors = {}, requests }: Pick<PolicyRule, 'visitors' | 'requests'>): boolean =>
  requests !== undefined ||
  visitors.results !== undefined ||
  visitors.networks !== undefined ||
  visitors.likely_automated === true;

/** Returns true if conditions apply to all requests by an agent. */
function covers(rule: Pick<PolicyException, 'visitors' | 'requests'>, agent: Agent): boolean {
  const { visitors = {}, requests } = rule;
  if (requests !== undefined || visitors.results !== undefined) return false;
  const includes = (names: readonly string[] | undefined, name: string | null): boolean =>
    name !== null && names?.some((other) => other.toLowerCase() === name.toLowerCase()) === true;
  return (
    Object.keys(visitors).length === 0 ||
    includes(typesOf(rule), agent.agent_type_name) ||
    includes(visitors.agent_tokens, agent.agent_token) ||
    includes(visitors.operators, agent.operator_name)
  );
}

/** Returns the response to all requests by an agent: by the first live rule that covers it, or by its type's control. */
export function readResponse(rules: readonly PolicyRule[], agent: Agent, { kind }: Control): AgentResponse {
  const covering = rules.filter((rule) => covers(rule, agent));
  const liveIndex = covering.findIndex(({ mode }) => mode === 'live');
  const live = covering[liveIndex];
  const { action } = live?.exceptions?.find((one) => covers(one, agent)) ?? live ?? {};
  if (action !== undefined && action.kind !== 'allow') return action.kind;
  if (kind === 'ask') return 'ask';
  const tested = live === undefined ? covering : covering.slice(0, liveIndex);
  return tested.some((rule) => rule.mode === 'dry_run' && rule.action.kind !== 'allow') ? 'dry_run' : 'allow';
}
