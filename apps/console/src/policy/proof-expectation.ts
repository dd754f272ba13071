import type { AgentVerification, IdentificationResult } from '#libs/agents';
import { ROBOTS_TXT_FORMATS, type PolicyRule, type ProofRequest, type RulesSelection } from '#libs/contracts';
import { Policy, toResponse, type PolicyMatch } from '#libs/policy';
import { AgentRules, ANY_AGENT, findGroups, parseRobotsFile, toRulePath } from '#libs/robots';
import type { EmulatedAgent } from './emulated-agents.repository.js';

/** Status that stands for any response of the site itself. */
const PASSED = 200;

type Expectation = Pick<ProofRequest, 'result' | 'expected_status' | 'decided_by' | 'rule' | 'dry_run_rule'>;

/** Returns the result of a visitor that falsely claims to be the agent. */
export const getUnverifiedResult = ({ verification }: EmulatedAgent): IdentificationResult =>
  hasAddressMethod(verification) ? 'verification_failed' : 'not_verifiable';

/** Returns true if visitors can be verified as the agent. */
export const isVerifiable = ({ verification }: EmulatedAgent): boolean =>
  hasAddressMethod(verification) || verification.signature_agents !== undefined;

/** Only addresses can refute a claim. Visitors without a signature may still be the agent. */
const hasAddressMethod = ({ reverse_dns_suffixes, ip_list_urls, ip_ranges }: AgentVerification): boolean =>
  [reverse_dns_suffixes, ip_list_urls, ip_ranges].some((list) => list !== undefined);

/**
 * Returns the response that a policy requires for a request by a visitor that claims to be an agent.
 *
 * @param result Identification result of the visitor.
 * @param address Address of the visitor. By default, rules for networks don't apply.
 * @param selection Saved robots.txt rules, which a connected proxy also enforces, or null.
 */
export function expectResponse(
  agent: EmulatedAgent,
  { url, result, address = null }: { url: URL; result: IdentificationResult; address?: string | undefined | null },
  rules: readonly PolicyRule[],
  selection: RulesSelection | null,
): Expectation {
  const path = url.pathname + url.search;
  const visitor = {
    result,
    agent_token: agent.token,
    agent_type_name: agent.type,
    operator_name: agent.operator,
  };
  const request = { visitor, isLikelyAutomated: false, clientAddress: address, method: 'GET', host: url.host, path };
  const { live, dryRun, isDecided } = new Policy(rules).decide(request);
  const rule = live && describe(live);
  const dryRunRule = dryRun && describe(dryRun);
  if (!isDecided && selection !== null && isDisallowed(agent, path, selection) && (rule?.status ?? PASSED) === PASSED)
    return { result, expected_status: 403, decided_by: 'robots_txt', rule, dry_run_rule: dryRunRule };
  return {
    result,
    expected_status: rule?.status ?? PASSED,
    decided_by: rule === null ? 'nothing' : 'rule',
    rule,
    dry_run_rule: dryRunRule,
  };
}

const describe = (match: PolicyMatch): NonNullable<Expectation['rule']> => ({
  id: match.id,
  name: match.rule.name,
  status: toResponse(match, 0)?.status ?? PASSED,
});

function isDisallowed(agent: EmulatedAgent, path: string, selection: RulesSelection): boolean {
  const includesName = (names: readonly string[] = [], name: string): boolean =>
    names.some((other) => other.toLowerCase() === name.toLowerCase());
  // Agents are also selected by their robots.txt token.
  const isNamed = (names: readonly string[] | undefined): boolean =>
    includesName(names, agent.token) || (agent.robotsToken !== null && includesName(names, agent.robotsToken));
  const isSelected =
    selection.agent_types.some((type) => type === agent.type) ||
    (selection.agent_behaviors ?? []).some((behavior) => agent.behaviors.includes(behavior)) ||
    isNamed(selection.agent_tokens);
  if (!isSelected || isNamed(selection.excluded_agent_tokens)) return false;
  if (includesName(selection.excluded_operator_names, agent.operator)) return false;
  // Rules in server formats cover the entire site.
  const hasPath = ROBOTS_TXT_FORMATS.some((format) => format === selection.format);
  const pattern = hasPath ? toRulePath(selection.disallow ?? '/') : '/';
  const file = parseRobotsFile(new TextEncoder().encode(`User-agent: ${ANY_AGENT}\nDisallow: ${pattern}`));
  return new AgentRules(findGroups(file, ANY_AGENT)).find(path)?.rule.isAllow === false;
}
