import { CRAWL_PURPOSES } from '#libs/agents/vocabulary';
import { isSameContent } from '../api/is-same-content.js';
import type { PolicyRule } from '../api/policy.js';
import type { Finding, RuleTarget } from './finding.js';

export type RuleKind = 'refuse' | 'slow_down';

/** Limit of new rules that slow down. */
const REQUESTS_PER_MINUTE = 10;
const MAX_NAME_LENGTH = 100;

/** Returns the agent of a finding as a target, or null if rules can't apply to it. */
export const toAgentTarget = ({ agent, result }: Pick<Finding, 'agent' | 'result'>): RuleTarget | null =>
  agent?.token == null ? null : { token: agent.token, type: agent.type, result };

/** Names the visitors that a rule applies to, such as "visits that fail verification as GPTBot". */
function describeTarget(target: RuleTarget): string {
  if (target.network !== undefined) return target.network;
  const { result, token } = target;
  if (result === 'verification_failed') return `visits that fail verification as ${token}`;
  return result === 'not_verifiable' ? `unverified ${token}` : token;
}

const REQUESTS = {
  verification_failed: 'but fail verification',
  not_verifiable: 'but can’t be verified',
} as const;

function describeRequests(target: RuleTarget): string {
  if (target.network !== undefined) return `Requests from ${target.network}`;
  const { result, token, newAgent } = target;
  if (newAgent !== undefined) return `Requests with “${token}” in the user agent`;
  return result === undefined ? `Requests by ${token}` : `Requests that claim to be ${token} ${REQUESTS[result]}`;
}

/** No rule ever applies to these paths. */
const EXEMPTION = 'except for robots.txt and /.well-known/';

/** Describes the rule's effect once it's live, as a complete sentence. */
export const describeEffect = (kind: RuleKind, target: RuleTarget): string =>
  kind === 'refuse'
    ? `${describeRequests(target)} will get a 403 error, ${EXEMPTION}.`
    : `${describeRequests(target)} will be limited to ${REQUESTS_PER_MINUTE} a minute, ${EXEMPTION}. Further requests will get a 429 error.`;

/** Returns a warning if the rule could block people or remove the site from search results, or null. */
export function getWarning(kind: RuleKind, target: RuleTarget): string | null {
  if (target.network !== undefined) return 'This also blocks people who use this network.';
  const { token, type, result } = target;
  if (kind !== 'refuse' || result === 'verification_failed') return null;
  if (!(CRAWL_PURPOSES.search.types as readonly string[]).includes(type ?? '')) return null;
  return result === undefined
    ? 'This blocks a search engine crawler, including its verified visits. Your pages can disappear from its results.'
    : `While the address lists or DNS are unavailable, the real ${token} can’t be verified either.`;
}

/** Returns a rule that applies to all requests of the target. */
export function createRule(
  kind: RuleKind,
  mode: 'dry_run' | 'live',
  { target, id }: { target: RuleTarget; id: string },
): PolicyRule {
  const verb = kind === 'refuse' ? 'Block' : 'Slow down';
  return {
    id,
    name: `${verb} ${describeTarget(target)}`.slice(0, MAX_NAME_LENGTH),
    mode,
    visitors:
      target.network === undefined
        ? { agent_tokens: [target.token], ...(target.result !== undefined && { results: [target.result] }) }
        : { networks: [target.network] },
    action: kind === 'refuse' ? { kind } : { kind, requests_per_minute: REQUESTS_PER_MINUTE },
  };
}

const hasSameEffect = (one: PolicyRule, other: PolicyRule): boolean =>
  isSameContent({ ...one, id: undefined, name: undefined }, { ...other, id: undefined, name: undefined });

/** Returns true if a rule does nothing but block the target, so it can be removed without side effects. */
export const isRuleForTarget = (rule: PolicyRule, target: RuleTarget): boolean =>
  rule.mode !== 'off' && hasSameEffect(rule, createRule('refuse', rule.mode, { target, id: rule.id }));

/** Returns a rule with the same conditions, action and mode, if there is one. */
export const findSameRule = (rules: readonly PolicyRule[], rule: PolicyRule): PolicyRule | undefined =>
  rules.find((other) => hasSameEffect(other, rule));

/** Returns true if nobody has changed the rule since it was added. The name counts, too. */
export const isUnchanged = (rule: PolicyRule, added: PolicyRule): boolean =>
  rule.name === added.name && hasSameEffect(rule, added);
