import { CRAWL_PURPOSES } from '#libs/agents/vocabulary';
import type { PolicyException } from '#libs/contracts';
import type { RuleCount } from '../api/policy.js';
import { formatCount } from '../format/count.js';
import { formatPriceText } from '../format/money.js';

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
  charged: 'Asked to pay',
  refused: 'Blocked',
} as const;
export type Outcome = keyof typeof OUTCOME_LABELS;
export const OUTCOMES = Object.keys(OUTCOME_LABELS) as Outcome[];

const MAX_LISTED = 3;

/** Joins names, as in "GPTBot, CCBot, Bytespider, and 2 more". */
export function listNames(names: readonly string[]): string {
  const others = names.length - MAX_LISTED;
  return others <= 0 ? names.join(', ') : `${names.slice(0, MAX_LISTED).join(', ')}, and ${formatCount(others)} more`;
}

type Conditions = Pick<PolicyException, 'visitors' | 'requests'>;

const RESULT_CONDITIONS = {
  verified: 'verified',
  verification_failed: 'verification fails',
  not_verifiable: 'they can’t be verified',
  unknown_agent: 'unknown',
} as const;

/** Returns a purpose as it's written within a sentence. */
const formatPurpose = (label: string): string => (label.startsWith('AI') ? label : label.toLowerCase());

/** Describes the visitors that a rule applies to, as in "GPTBot, Agents for AI training if verified". */
export function describeVisitors({ visitors = {} }: Conditions, everyone = 'All known agents'): string {
  const purposes = (visitors.purposes ?? []).map(
    (purpose) => `Agents for ${formatPurpose(CRAWL_PURPOSES[purpose].label)}`,
  );
  const names = [
    ...(visitors.agent_tokens ?? []),
    ...(visitors.operators ?? []).map((operator) => `Agents of ${operator}`),
    ...purposes,
    ...(visitors.agent_types ?? []),
    ...(visitors.networks ?? []).map((network) => `Visitors from ${network}`),
    ...(visitors.likely_automated ? ['Likely automated visitors'] : []),
  ];
  const results = (visitors.results ?? []).map((result) => RESULT_CONDITIONS[result]);
  const who = names.length === 0 ? everyone : listNames(names);
  return results.length === 0 ? who : `${who} if ${results.join(' or ')}`;
}

/** Describes the requests that a rule applies to, as in " with GET on /docs/, /blog/ at www.example.com". */
function describeRequests({ requests: { methods, paths, hosts } = {} }: Conditions): string {
  const parts = [
    methods && `with ${methods.join(' or ')}`,
    paths && `on ${listNames(paths)}`,
    hosts && `at ${listNames(hosts)}`,
  ];
  return parts.flatMap((part) => (part === undefined ? [] : [` ${part}`])).join('');
}

export function describeAction({ action }: Pick<PolicyException, 'action'>): string {
  switch (action.kind) {
    case 'allow':
      return 'allow';
    case 'slow_down':
      return `slow down to ${formatCount(action.requests_per_minute)} a minute`;
    case 'charge':
      return `charge ${formatPriceText(action.price)}`;
    case 'redirect':
      return `redirect to ${action.location}`;
    case 'refuse':
      return 'block';
  }
}

/**
 * Describes the visitors and requests that a rule or exception applies to, as in "GPTBot on /private/*".
 *
 * @param everyone Visitors of a rule without conditions on visitors.
 */
export const describeConditions = (rule: Conditions, everyone?: string): string =>
  `${describeVisitors(rule, everyone)}${describeRequests(rule)}`;

/**
 * Describes a rule or exception, as in "GPTBot on /private/*: block".
 *
 * @param everyone Visitors of a rule without conditions on visitors.
 */
export const describeRule = (rule: Conditions & Pick<PolicyException, 'action'>, everyone?: string): string =>
  `${describeConditions(rule, everyone)}: ${describeAction(rule)}`;

interface OutcomeSum {
  outcome: Outcome;
  requests: number;
}

/** Describes the decisions of rules, as in "41 blocked (253 more while in dry run)". Returns an empty string without any. */
export function describeCounts(counts: readonly RuleCount[], ruleIds: readonly string[]): string {
  const sumUp = (mode: RuleCount['mode']): OutcomeSum[] =>
    OUTCOMES.toReversed().flatMap((outcome) => {
      const own = counts.filter((one) => one.mode === mode && one.outcome === outcome && ruleIds.includes(one.rule_id));
      return own.length === 0 ? [] : { outcome, requests: own.reduce((sum, { decisions }) => sum + decisions, 0) };
    });
  const describe = (sums: readonly OutcomeSum[], verb = ''): string =>
    sums
      .map(
        ({ outcome, requests }, index) =>
          `${formatCount(requests)}${index === 0 ? verb : ''} ${OUTCOME_LABELS[outcome].toLowerCase()}`,
      )
      .join(', ');
  const [live, dryRun] = [sumUp('live'), sumUp('dry_run')];
  if (dryRun.length === 0) return describe(live);
  if (live.length === 0) return `Dry run: ${describe(dryRun, ' would have been')}`;
  const [first] = dryRun;
  const isSame = live.length === 1 && dryRun.length === 1 && live[0]!.outcome === first!.outcome;
  return `${describe(live)} (${isSame ? `${formatCount(first!.requests)} more` : describe(dryRun)} while in dry run)`;
}
