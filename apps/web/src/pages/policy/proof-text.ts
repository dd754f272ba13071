import type { PolicyForecast } from '../../api/policy-forecast.js';
import type { ProofRequest, SimulatedResponse } from '../../api/policy-proof.js';
import { formatCount } from '../../format/count.js';
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

const REPLAY_LABELS = { ...OUTCOME_LABELS, allowed: 'Let through' };

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

/** Describes the outcomes of an agent's stored requests, as in "12 slowed, 405 let through". */
export function describeReplayed(agents: PolicyForecast['agents'], token: string): string {
  const outcomes = agents.find((agent) => agent.agent_token === token)?.outcomes;
  if (outcomes === undefined) return 'All let through';
  return OUTCOMES.toReversed()
    .filter((outcome) => outcomes[outcome] > 0)
    .map((outcome) => `${formatCount(outcomes[outcome])} ${REPLAY_LABELS[outcome].toLowerCase()}`)
    .join(', ');
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** States whether the site enforces the policy. */
export function summarizeProof(requests: readonly ProofRequest[]): string {
  const different = requests.filter(({ is_expected: isExpected }) => !isExpected);
  if (different.length === 0) return `Proven: ${summarizeExpected(requests, ['was', 'were'])}`;
  const names = list.format(different.map(({ agent_token: token }) => token));
  return different.length === requests.length
    ? `Not proven: no response is as expected.`
    : `Not proven: the response to ${names} isn’t as expected.`;
}
