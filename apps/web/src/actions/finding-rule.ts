import { CRAWL_PURPOSES } from '#libs/agents/vocabulary';
import { isSameContent } from '../api/is-same-content.js';
import type { PolicyRule } from '../api/policy.js';
import type { Finding } from './finding.js';

export type RuleKind = 'refuse' | 'slow_down';

/** Limit of new rules that slow down. */
const REQUESTS_PER_MINUTE = 10;
const MAX_NAME_LENGTH = 100;

/** Names the visitors that a rule applies to, such as "visits that spoof GPTBot". */
function describeTarget(result: Finding['result'], token: string): string {
  if (result === 'verification_failed') return `visits that spoof ${token}`;
  return result === 'not_verifiable' ? `unverified ${token}` : token;
}

const REQUESTS = {
  verification_failed: 'but fail verification',
  not_verifiable: 'but can’t be verified',
} as const;

/** Describes the rule's effect once it's live, as a complete sentence. */
export function describeEffect(kind: RuleKind, { result }: Pick<Finding, 'result'>, token: string): string {
  const target =
    result === undefined ? `Requests by ${token}` : `Requests that claim to be ${token} ${REQUESTS[result]}`;
  return kind === 'refuse'
    ? `${target} get status 403.`
    : `${target} are limited to ${REQUESTS_PER_MINUTE} a minute. Further requests get status 429.`;
}

/** Returns a warning if the rule could remove the site from search results, or null. */
export function getWarning(kind: RuleKind, { agent, result }: Pick<Finding, 'agent' | 'result'>): string | null {
  if (kind !== 'refuse' || result === 'verification_failed' || agent?.token == null) return null;
  if (!(CRAWL_PURPOSES.search.types as readonly string[]).includes(agent.type ?? '')) return null;
  return result === undefined
    ? 'This blocks a search engine crawler, including its verified visits. Your pages can disappear from its results.'
    : `While the address lists or DNS are unavailable, the real ${agent.token} can’t be verified either.`;
}

/** Returns a rule that applies to the agent's visits, or only to those with the finding's result. */
export function createRule(
  kind: RuleKind,
  mode: 'dry_run' | 'live',
  { finding: { result }, token, id }: { finding: Pick<Finding, 'result'>; token: string; id: string },
): PolicyRule {
  const verb = kind === 'refuse' ? 'Block' : 'Slow down';
  return {
    id,
    name: `${verb} ${describeTarget(result, token)}`.slice(0, MAX_NAME_LENGTH),
    mode,
    visitors: { agent_tokens: [token], ...(result !== undefined && { results: [result] }) },
    action: kind === 'refuse' ? { kind } : { kind, requests_per_minute: REQUESTS_PER_MINUTE },
  };
}

const hasSameEffect = (one: PolicyRule, other: PolicyRule): boolean =>
  isSameContent({ ...one, id: undefined, name: undefined }, { ...other, id: undefined, name: undefined });

/** Returns a rule with the same conditions, action and mode, if there is one. */
export const findSameRule = (rules: readonly PolicyRule[], rule: PolicyRule): PolicyRule | undefined =>
  rules.find((other) => hasSameEffect(other, rule));

/** Returns true if nobody has changed the rule since it was added. The name counts, too. */
export const isUnchanged = (rule: PolicyRule, added: PolicyRule): boolean =>
  rule.name === added.name && hasSameEffect(rule, added);
