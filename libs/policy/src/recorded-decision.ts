import type { PolicyActionKind, PolicyMode, PolicyOutcome } from '#libs/contracts';

/** Response header that carries decisions to proxies, logs and clients, in lower case. */
export const DECISION_HEADER = 'agent-traffic-decision';

/** Decision of a rule on one request. */
export interface RecordedDecision {
  outcome: PolicyOutcome;
  mode: Exclude<PolicyMode, 'off'>;
  /** ID of the rule or exception. */
  ruleId: string;
}

/** Outcomes by action, for requests over the limit of a rule that slows down. */
export const OUTCOMES: Record<PolicyActionKind, PolicyOutcome> = {
  allow: 'allowed',
  slow_down: 'slowed',
  redirect: 'redirected',
  charge: 'charged',
  refuse: 'refused',
};

const DECISION =
  /^(allowed|slowed|redirected|charged|refused);(live|dry_run);([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})$/;

/** A live decision and one of a rule in dry run. */
const MAX_DECISIONS = 2;
const MAX_LENGTH = 200;

/** Formats decisions as a header value, such as `slowed;live;018f0000-0000-7000-8000-000000000000`. */
export const formatDecisions = (decisions: readonly RecordedDecision[]): string =>
  decisions.map(({ outcome, mode, ruleId }) => `${outcome};${mode};${ruleId}`).join(', ');

/** Parses a value of {@link formatDecisions}. Returns an empty array for any other text. */
export function parseDecisions(value: string): RecordedDecision[] {
  if (value.length > MAX_LENGTH) return [];
  const matches = value.split(',').map((part) => DECISION.exec(part.trim()));
  if (matches.length > MAX_DECISIONS || matches.includes(null)) return [];
  return matches.map((match) => ({
    outcome: match![1] as PolicyOutcome,
    mode: match![2] as RecordedDecision['mode'],
    ruleId: match![3]!,
  }));
}
