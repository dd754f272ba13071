import { capitalize } from '#libs/agents/vocabulary';
import type { PolicyForecast } from '../../api/policy-forecast.js';
import type { ProofRequest, SimulatedResponse } from '../../api/policy-proof.js';
import { formatCount } from '../../format/count.js';
import type { PolicyRule } from '../../api/policy.js';
import { describeOutcomes } from '../../rules/outcomes.js';
import { describeOthers, type RuleEffect } from '../../rules/rule-effect.js';
import { OUTCOME_LABELS, OUTCOMES } from '../../rules/rule-text.js';

/** Describes a response, as in "403 Blocked". */
export function describeOutcome(status: number): string {
  switch (status) {
    case 200:
      return 'Your page';
    case 402:
      return '402 Asked to pay';
    case 403:
      return '403 Blocked';
    case 429:
      return '429 Slowed down';
    default:
      return `${status} Redirected`;
  }
}

const RESULTS: Record<number, string> = {
  200: 'let through',
  301: 'redirected (301)',
  308: 'redirected (308)',
  402: 'asked to pay (402)',
  403: 'blocked (403)',
  429: 'slowed down (429)',
};

/** Describes the response to a visitor, as in "blocked (403)". */
export const describeResult = (status: number): string => RESULTS[status] ?? `answered with ${status}`;

const list = new Intl.ListFormat('en-US');

/** Groups agents by response, as in "GPTBot is blocked (403). Googlebot is let through." */
export function summarizeExpected(
  responses: readonly Pick<SimulatedResponse, 'agent_token' | 'expected_status' | 'result'>[],
  verbs: readonly [one: string, several: string] = ['is', 'are'],
): string {
  const byStatus = Map.groupBy(responses, ({ expected_status: status }) => status);
  const restrictedFirst = [...byStatus].toSorted(([one], [other]) => other - one);
  const toName = ({ agent_token: token, result }: (typeof responses)[number]): string => {
    const hasOther = responses.some((other) => other.agent_token === token && other.result !== result);
    if (!hasOther) return token;
    return result === 'verified' ? `verified ${token}` : `unverified ${token}`;
  };
  return restrictedFirst
    .map(([status, group]) => {
      const names = list.format(group.map(toName));
      const subject = names.startsWith('verified') || names.startsWith('unverified') ? capitalize(names) : names;
      return `${subject} ${verbs[group.length === 1 ? 0 : 1]} ${describeResult(status)}.`;
    })
    .join(' ');
}

/**
 * Describes the outcomes of an agent's stored requests, as in "13 of 23 blocked. 8 asked to pay by “Archive”, which is
 * checked first. 2 asked for exempt files, such as robots.txt."
 *
 * @param rules Live rules that the requests were run through, in order.
 * @param ruleId Rule or exception that decides on the page that's proved, or null.
 */
export function describeReplayed(
  { agents, rules: effects }: Pick<PolicyForecast, 'agents' | 'rules'>,
  rules: readonly PolicyRule[],
  token: string,
  ruleId: string | null,
): string {
  const counts = agents.find((agent) => agent.agent_token === token);
  if (counts === undefined) return 'No requests';
  const { outcomes, exempt } = counts;
  const total = OUTCOMES.reduce((sum, outcome) => sum + outcomes[outcome], 0);
  const indexOf = (id: string | null): number =>
    rules.findIndex((rule) => rule.id === id || rule.exceptions?.some((exception) => exception.id === id));
  const ownIndex = indexOf(ruleId);
  const parts = effects
    .flatMap(({ rule_id: id, outcomes: ofRule, agents: affected }) => {
      const own = affected.filter((agent) => agent.agent_token === token);
      const outcome = OUTCOMES.find((one) => one !== 'allowed' && ofRule[one] > 0);
      const index = indexOf(id);
      if (own.length === 0 || outcome === undefined || index === -1) return [];
      const count = own.reduce((sum, { visits }) => sum + visits, 0);
      const areImpostors = own.every(({ result }) => result === 'verification_failed');
      return [{ index, count, areImpostors, text: OUTCOME_LABELS[outcome].toLowerCase() }];
    })
    .toSorted((one, other) => Number(other.index === ownIndex) - Number(one.index === ownIndex));
  if (parts.length === 0) return `All ${formatCount(total)} let through`;
  const hasOwn = parts[0]!.index === ownIndex;
  const passed = outcomes.allowed - (hasOwn ? exempt : 0);
  const texts = parts.map(({ index, count, areImpostors, text }, position) => {
    const of = position === 0 && count < total ? `${formatCount(count)} of ${formatCount(total)}` : formatCount(count);
    const by = index === ownIndex ? '' : ` by “${rules[index]!.name}”`;
    const order = hasOwn && position > 0 && index < ownIndex ? ', which is checked first' : '';
    return `${position === 0 && count === total ? `All ${of}` : of} ${text}${by}${areImpostors ? ' (impostors)' : ''}${order}.`;
  });
  return [
    ...texts,
    ...(passed > 0 ? [`${formatCount(passed)} let through.`] : []),
    ...(hasOwn && exempt > 0 ? [`${formatCount(exempt)} asked for exempt files, such as robots.txt.`] : []),
  ].join(' ');
}

/** Describes the stored requests that a rule for networks matches, as in "530 of 550 blocked, …". */
export function describeMatching(effect: RuleEffect): string {
  const { acted, matching, outcomes } = effect;
  if (matching === 0) return 'No requests';
  const rest = describeOthers(effect);
  const all = acted === matching ? `All ${formatCount(acted)}` : `${formatCount(acted)} of ${formatCount(matching)}`;
  return acted === 0
    ? `All ${formatCount(matching)} let through`
    : `${all} ${describeOutcomes(outcomes)}. ${rest}`.trim();
}

/** States whether the site enforces the policy. */
export function summarizeProof(requests: readonly ProofRequest[]): string {
  const different = requests.filter(({ is_expected: isExpected }) => !isExpected);
  if (different.length === 0) return `Proven: ${summarizeExpected(requests, ['was', 'were'])}`;
  const names = list.format(different.map(({ agent_token: token }) => token));
  return different.length === requests.length
    ? `Not proven: no response is as expected.`
    : `Not proven: the response to ${names} isn’t as expected.`;
}
