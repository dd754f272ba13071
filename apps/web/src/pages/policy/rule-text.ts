import { CRAWL_PURPOSES } from '#libs/agents/vocabulary';
import type { PolicyException } from '#libs/contracts';
import type { RuleCount } from '../../api/policy.js';
import { formatCount } from '../../format/count.js';

export const MODE_LABELS = { dry_run: 'Dry run', live: 'Live', off: 'Off' } as const;

export const RESULT_LABELS = {
  verified: 'verified',
  verification_failed: 'verification failed',
  not_verifiable: 'not verifiable',
  unknown_agent: 'unknown',
} as const;

export const OUTCOME_LABELS = {
  allowed: 'Allowed',
  slowed: 'Slowed',
  redirected: 'Redirected',
  charged: 'Charged',
  refused: 'Refused',
} as const;
export type Outcome = keyof typeof OUTCOME_LABELS;
export const OUTCOMES = Object.keys(OUTCOME_LABELS) as Outcome[];

const MAX_LISTED = 3;

/** Joins names, as in "GPTBot, CCBot, Bytespider and 2 more". */
function listNames(names: readonly string[]): string {
  const others = names.length - MAX_LISTED;
  return others <= 0 ? names.join(', ') : `${names.slice(0, MAX_LISTED).join(', ')} and ${formatCount(others)} more`;
}

type Conditions = Pick<PolicyException, 'visitors' | 'requests'>;

/** Describes the visitors that a rule applies to, as in "GPTBot, training agents · verified". */
export function describeVisitors({ visitors = {} }: Conditions, everyone = 'All known agents'): string {
  const purposes = (visitors.purposes ?? []).map((purpose) => `${CRAWL_PURPOSES[purpose].label} agents`);
  const names = [
    ...(visitors.agent_tokens ?? []),
    ...(visitors.operators ?? []).map((operator) => `agents of ${operator}`),
    ...purposes,
    ...(visitors.agent_types ?? []),
    ...(visitors.networks ?? []).map((network) => `visitors from ${network}`),
    ...(visitors.likely_automated ? ['likely automated visitors'] : []),
  ];
  const results = (visitors.results ?? []).map((result) => RESULT_LABELS[result]);
  const who = names.length === 0 ? everyone : listNames(names);
  return results.length === 0 ? who : `${who} · ${results.join(' or ')}`;
}

/** Describes the requests that a rule applies to, as in "GET · /docs/, /blog/ · www.example.com". */
export function describeRequests({ requests = {} }: Conditions): string {
  const parts = [
    requests.methods?.join(' or '),
    requests.paths && listNames(requests.paths),
    requests.hosts?.join(', '),
  ];
  return parts.filter((part) => part !== undefined).join(' · ') || 'all requests';
}

export function describeAction({ action }: Pick<PolicyException, 'action'>): string {
  switch (action.kind) {
    case 'allow':
      return 'allow';
    case 'slow_down':
      return `slow down to ${formatCount(action.requests_per_minute)} a minute`;
    case 'charge':
      return `charge ${action.price}`;
    case 'redirect':
      return `redirect to ${action.location}`;
    case 'refuse':
      return 'refuse';
  }
}

export interface ModeCounts {
  mode: RuleCount['mode'];
  checked: number;
  outcomes: Record<Outcome, number>;
}

/** Sums the decisions of rules by mode. Omits modes without decisions. */
export function sumByMode(counts: readonly RuleCount[], ruleIds: readonly string[]): ModeCounts[] {
  return (['live', 'dry_run'] as const).flatMap((mode) => {
    const own = counts.filter((count) => count.mode === mode && ruleIds.includes(count.rule_id));
    if (own.length === 0) return [];
    const sum = (outcome?: Outcome): number =>
      own.reduce((total, one) => total + (outcome === undefined || one.outcome === outcome ? one.decisions : 0), 0);
    const outcomes = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, sum(outcome)]));
    return [{ mode, checked: sum(), outcomes: outcomes as Record<Outcome, number> }];
  });
}
