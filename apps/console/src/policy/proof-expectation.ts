import { ROBOTS_TXT_FORMATS, type PolicyRule, type ProofRequest, type RulesSelection } from '#libs/contracts';
import { Policy, toResponse, type PolicyMatch } from '#libs/policy';
import { AgentRules, ANY_AGENT, findGroups, parseRobotsFile, toRulePath } from '#libs/robots';
import type { EmulatedAgent } from './emulated-agents.repository.js';

/** Status that stands for any response of the site itself. */
const PASSED = 200;

type Expectation = Pick<ProofRequest, 'expected_status' | 'decided_by' | 'rule' | 'dry_run_rule'>;

/**
 * Returns the response that a policy requires for a request by an unverified visitor that claims to be an agent.
 *
 * @param selection Saved robots.txt rules, which a connected proxy also enforces, or null.
 */
export function expectResponse(
  agent: EmulatedAgent,
  url: URL,
  rules: readonly PolicyRule[],
  selection: RulesSelection | null,
): Expectation {
  const path = url.pathname + url.search;
  const visitor = {
    result: 'verification_failed' as const,
    agent_token: agent.token,
    agent_type_name: agent.type,
    operator_name: agent.operator,
  };
  const request = { visitor, isLikelyAutomated: false, clientAddress: null, method: 'GET', host: url.host, path };
  const { live, dryRun, isDecided } = new Policy(rules).decide(request);
  const rule = live && describe(live);
  const dryRunRule = dryRun && describe(dryRun);
  if (!isDecided && selection !== null && isDisallowed(agent, path, selection) && (rule?.status ?? PASSED) === PASSED)
    return { expected_status: 403, decided_by: 'robots_txt', rule, dry_run_rule: dryRunRule };
  return {
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
  const isSelected =
    selection.agent_types.some((type) => type === agent.type) ||
    (selection.agent_behaviors ?? []).some((behavior) => agent.behaviors.includes(behavior));
  const includesName = (names: readonly string[] = [], name: string): boolean =>
    names.some((other) => other.toLowerCase() === name.toLowerCase());
  if (!isSelected || includesName(selection.excluded_agent_tokens, agent.token)) return false;
  if (includesName(selection.excluded_operator_names, agent.operator)) return false;
  // Rules in server formats cover the entire site.
  const hasPath = ROBOTS_TXT_FORMATS.some((format) => format === selection.format);
  const pattern = hasPath ? toRulePath(selection.disallow ?? '/') : '/';
  const file = parseRobotsFile(new TextEncoder().encode(`User-agent: ${ANY_AGENT}\nDisallow: ${pattern}`));
  return new AgentRules(findGroups(file, ANY_AGENT)).find(path)?.rule.isAllow === false;
}
