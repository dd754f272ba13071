/**
 * Condition that the counts in an alert's window must meet. `part` and `whole` are sums of counts. Most kinds only have
 * a `part`.
 *
 * - `seen`: the part is not zero. The threshold is ignored.
 * - `count`: the part reaches the threshold.
 * - `share`: the part reaches the threshold as a percentage of the whole.
 * - `share_fall`: the part's percentage of the whole is below the baseline by at least the threshold, in percentage points.
 * - `rise`, `fall`: the part's average per quarter hour is above or below the baseline by at least the threshold, in
 *   standard deviations.
 * - `silence`: the part is zero.
 */
export type AlertTest = 'seen' | 'count' | 'share' | 'share_fall' | 'rise' | 'fall' | 'silence';

interface AlertKindInfo {
  /** Name of an alert that covers all agents or hosts. */
  label: string;
  /** Name of an alert that is limited to an agent, type or operator. Null if the kind can't be limited. */
  scopedLabel: string | null;
  /** Describes the condition in complete sentences. */
  sentence: string;
  test: AlertTest;
  /** Whether each agent or host fires and recovers independently, or only the alert as a whole (`none`). */
  subject: 'agent' | 'host' | 'none';
  /** `{name}` in the message if the event names no agent, type, operator or host. */
  who: string;
  /** Whether the alert keeps firing until it recovers. */
  lasts: boolean;
  /**
   * Message text. `{name}` is replaced with the agent, type, operator or host, `{window}` with the time span, and `{value}`
   * and `{usual}` with numbers. `{value|visit|visits}` is replaced with a number and the matching singular or plural.
   */
  message: string;
  /** Quantity that the `minimum` setting applies to, or null if the kind has no minimum. */
  minimumOf: string | null;
  defaults: {
    threshold: number;
    minimum: number;
    window_minutes: number;
    cooldown_minutes: number;
    recovery_minutes: number;
  };
  /** Whether new projects start with this alert. */
  isDefault: boolean;
}

const COMMON_DEFAULTS = { window_minutes: 60, cooldown_minutes: 240, recovery_minutes: 60 };

/** Alert kinds. Their counts are queried by `libs/visit-store/src/alert-counts.sql.ts`. */
export const ALERT_KINDS = {
  new_agent: {
    label: 'First visit in 30 days',
    scopedLabel: 'First visit by {scope} in 30 days',
    sentence: 'An agent visits for the first time in 30 days.',
    test: 'seen',
    subject: 'agent',
    who: 'An agent',
    lasts: false,
    message: '{name} visited for the first time in 30 days.',
    minimumOf: null,
    defaults: { ...COMMON_DEFAULTS, threshold: 0, minimum: 0, window_minutes: 15, cooldown_minutes: 1_440 },
    isDefault: true,
  },
  spike: {
    label: 'Visits rise sharply',
    scopedLabel: 'Visits by {scope} rise sharply',
    sentence: 'Agents visit far more often than in the previous 24 hours.',
    test: 'rise',
    subject: 'none',
    who: 'Agents',
    lasts: true,
    message: '{name} made {value|visit|visits} in {window} (usually {usual}).',
    minimumOf: 'visits',
    defaults: { ...COMMON_DEFAULTS, threshold: 3.5, minimum: 200 },
    isDefault: false,
  },
  drop: {
    label: 'Visits drop sharply',
    scopedLabel: 'Visits by {scope} drop sharply',
    sentence: 'Agents visit far less often than in the previous 24 hours.',
    test: 'fall',
    subject: 'none',
    who: 'Agents',
    lasts: true,
    message: '{name} made {value|visit|visits} in {window} (usually {usual}).',
    minimumOf: 'usual visits',
    defaults: { ...COMMON_DEFAULTS, threshold: 3, minimum: 100 },
    isDefault: false,
  },
  spoofing: {
    label: 'Visits fail verification',
    scopedLabel: 'Visits claiming to be {scope} fail verification',
    sentence:
      'Visits claim to be from an agent but fail verification. Visits that can’t be verified don’t count, even if one network poses as several agents.',
    test: 'count',
    subject: 'agent',
    who: 'an agent',
    lasts: true,
    message: '{value|visit|visits} in {window} claimed to be {name}, but failed verification.',
    minimumOf: null,
    defaults: { ...COMMON_DEFAULTS, threshold: 20, minimum: 0, cooldown_minutes: 1_440 },
    isDefault: true,
  },
  agent_load: {
    label: 'An agent sends too many requests',
    scopedLabel: '{scope} sends too many requests',
    sentence: 'An agent makes more requests than the site should have to serve.',
    test: 'count',
    subject: 'agent',
    who: 'An agent',
    lasts: true,
    message: '{name} made {value|request|requests} in {window}.',
    minimumOf: null,
    // 10 requests per second
    defaults: { ...COMMON_DEFAULTS, threshold: 9_000, minimum: 0, window_minutes: 15 },
    isDefault: false,
  },
  verified_share: {
    label: 'Fewer visits are verified',
    scopedLabel: 'Fewer visits by {scope} are verified',
    sentence: 'The share of verified visits drops compared with the previous 24 hours.',
    test: 'share_fall',
    subject: 'none',
    who: 'agents',
    lasts: true,
    message: '{value}% of visits by {name} were verified in {window} (usually {usual}%).',
    minimumOf: 'visits',
    defaults: { ...COMMON_DEFAULTS, threshold: 30, minimum: 50 },
    isDefault: false,
  },
  errors: {
    label: 'Errors for an agent',
    scopedLabel: 'Errors for {scope}',
    sentence: 'Your site returns errors (status 400 or above) to an agent.',
    test: 'share',
    subject: 'agent',
    who: 'An agent',
    lasts: true,
    message: '{name} got errors for {value}% of its requests in {window}.',
    minimumOf: 'requests',
    defaults: { ...COMMON_DEFAULTS, threshold: 50, minimum: 50 },
    isDefault: true,
  },
  server_errors: {
    label: 'Your site returns server errors',
    scopedLabel: null,
    sentence: 'Your site returns server errors (status 500–599) to agents, counted together.',
    test: 'share',
    subject: 'none',
    who: 'Agents',
    lasts: true,
    message: '{name} got server errors for {value}% of their requests in {window}.',
    minimumOf: 'requests',
    defaults: { ...COMMON_DEFAULTS, threshold: 20, minimum: 20 },
    isDefault: true,
  },
  blocked: {
    label: 'An allowed agent is blocked',
    scopedLabel: '{scope} is blocked against robots.txt',
    sentence: 'Your site returns 403 to an agent that robots.txt allows.',
    test: 'share',
    subject: 'agent',
    who: 'An agent',
    lasts: true,
    message: '{name} got status 403 for {value}% of the requests that robots.txt allows in {window}.',
    minimumOf: 'allowed requests',
    defaults: { ...COMMON_DEFAULTS, threshold: 20, minimum: 20 },
    isDefault: false,
  },
  disallowed: {
    label: 'An agent ignores robots.txt',
    scopedLabel: '{scope} ignores robots.txt',
    sentence: 'An agent fetches pages that robots.txt disallows.',
    test: 'count',
    subject: 'agent',
    who: 'An agent',
    lasts: true,
    message: '{name} fetched disallowed pages {value|time|times} in {window}.',
    minimumOf: null,
    defaults: { ...COMMON_DEFAULTS, threshold: 20, minimum: 0, cooldown_minutes: 1_440 },
    isDefault: false,
  },
  robots_missing: {
    label: 'robots.txt is missing',
    scopedLabel: null,
    sentence: 'A host returns an error for robots.txt, or no longer has one.',
    test: 'seen',
    subject: 'host',
    who: 'A host',
    lasts: true,
    message: '{name} doesn’t serve robots.txt.',
    minimumOf: null,
    defaults: { ...COMMON_DEFAULTS, threshold: 0, minimum: 0, recovery_minutes: 15 },
    isDefault: false,
  },
  no_visits: {
    label: 'Visits stop',
    scopedLabel: null,
    sentence: 'Your site no longer reports any visits, from agents or people.',
    test: 'silence',
    subject: 'none',
    who: 'Your site',
    lasts: true,
    message: 'No visits in {window} (usually {usual}).',
    minimumOf: 'usual visits',
    defaults: { ...COMMON_DEFAULTS, threshold: 0, minimum: 20, recovery_minutes: 15 },
    isDefault: true,
  },
  tool_errors: {
    label: 'MCP tools fail',
    scopedLabel: null,
    sentence: 'Calls to your MCP tools fail.',
    test: 'share',
    subject: 'none',
    who: 'MCP tools',
    lasts: true,
    message: '{value}% of MCP tool calls failed in {window}.',
    minimumOf: 'calls',
    defaults: { ...COMMON_DEFAULTS, threshold: 20, minimum: 20 },
    isDefault: false,
  },
  referral_spike: {
    label: 'AI assistants send far more people',
    scopedLabel: null,
    sentence: 'AI assistants refer far more people than in the previous 24 hours.',
    test: 'rise',
    subject: 'none',
    who: 'AI assistants',
    lasts: true,
    message: 'AI assistants sent {value|person|people} in {window} (usually {usual}).',
    minimumOf: 'referrals',
    defaults: { ...COMMON_DEFAULTS, threshold: 3.5, minimum: 20 },
    isDefault: false,
  },
} as const satisfies Record<string, AlertKindInfo>;

export type AlertKind = keyof typeof ALERT_KINDS;

export const ALERT_KIND_NAMES = Object.keys(ALERT_KINDS) as AlertKind[];

export const alertKindInfo = (kind: AlertKind): AlertKindInfo => ALERT_KINDS[kind];

/** Returns the name of an alert, or of an event if `subject` is its agent or host. */
export function getAlertName(kind: AlertKind, subject: string | null): string {
  const { label, scopedLabel } = alertKindInfo(kind);
  if (subject === null) return label;
  return scopedLabel === null ? `${label}: ${subject}` : scopedLabel.replace('{scope}', () => subject);
}

export const SENSITIVITIES = ['low', 'medium', 'high'] as const;
export type Sensitivity = (typeof SENSITIVITIES)[number];
export type SensitivitySettings = Record<Sensitivity, { threshold: number; minimum: number }>;

/** Factors for the default threshold by test. A low sensitivity needs a higher threshold. */
const THRESHOLD_FACTORS: Partial<Record<AlertTest, { low: number; high: number }>> = {
  count: { low: 5, high: 0.25 },
  share: { low: 1.6, high: 0.4 },
  share_fall: { low: 1.5, high: 0.5 },
  rise: { low: 1.5, high: 0.7 },
  fall: { low: 1.5, high: 0.7 },
};
/** Factors for the default minimum of kinds without a threshold. */
const SILENCE_FACTORS = { low: 5, high: 0.25 };

/**
 * Returns the threshold and the minimum for each sensitivity. Medium is the default. Returns null for kinds that fire
 * at the first occurrence.
 */
export function getSensitivities(kind: AlertKind): SensitivitySettings | null {
  const { test, defaults } = alertKindInfo(kind);
  const { threshold, minimum } = defaults;
  const factors = THRESHOLD_FACTORS[test];
  if (test === 'silence') {
    const scale = (factor: number) => ({ threshold, minimum: Math.round(minimum * factor) });
    return { low: scale(SILENCE_FACTORS.low), medium: { threshold, minimum }, high: scale(SILENCE_FACTORS.high) };
  }
  if (factors === undefined) return null;
  // Standard deviations are the only thresholds with decimals.
  const round = (value: number) =>
    test === 'rise' || test === 'fall' ? Math.round(value * 10) / 10 : Math.round(value);
  const scale = (factor: number) => ({ threshold: round(threshold * factor), minimum });
  return { low: scale(factors.low), medium: { threshold, minimum }, high: scale(factors.high) };
}
