/**
 * Conditions for the counts in the window of an alert. `part` and `whole` are two sums of counts. Most kinds have no `whole`.
 *
 * - `seen`: the part is not zero. The threshold is ignored.
 * - `count`: the part reaches the threshold.
 * - `share`: the part reaches the threshold as a percentage of the whole.
 * - `share_fall`: the part's percentage of the whole is below the baseline by the threshold, in percentage points.
 * - `rise`, `fall`: the part's average per quarter hour is above or below the baseline by the threshold, in standard deviations.
 * - `silence`: the part is zero.
 */
export type AlertTest = 'seen' | 'count' | 'share' | 'share_fall' | 'rise' | 'fall' | 'silence';

interface AlertKindInfo {
  label: string;
  /** Description of the condition, as a sentence. */
  sentence: string;
  test: AlertTest;
  /** Unit that fires and recovers separately. `none`: the alert as a whole. */
  subject: 'agent' | 'host' | 'none';
  /** Subject of the message if there is no agent, type, operator or host. */
  who: string;
  /** Whether the alert keeps firing until it recovers. */
  lasts: boolean;
  /** Whether the alert can be limited to an agent, type or operator. */
  isScoped: boolean;
  /**
   * Rest of the message after the name of the subject. `{value}` and `{usual}` are replaced with numbers,
   * `{value|visit|visits}` with a number and the singular or plural word.
   */
  message: string;
  /** Quantity that the `minimum` setting applies to, or null if there is no minimum. */
  minimumOf: string | null;
  /** Default settings of a new alert. */
  defaults: {
    threshold: number;
    minimum: number;
    window_minutes: number;
    cooldown_minutes: number;
    recovery_minutes: number;
  };
  /** Whether new projects have this alert. */
  isDefault: boolean;
}

const usual = { window_minutes: 60, cooldown_minutes: 240, recovery_minutes: 60 };

/** Kinds of alerts. The SQL of their counts is in `libs/visit-store/src/alert-counts.sql.ts`. */
export const ALERT_KINDS = {
  new_agent: {
    label: 'New agent',
    sentence: 'An agent visits for the first time in 30 days.',
    test: 'seen',
    subject: 'agent',
    who: 'An agent',
    lasts: false,
    isScoped: true,
    message: 'visited for the first time in 30 days',
    minimumOf: null,
    defaults: { ...usual, threshold: 0, minimum: 0, window_minutes: 15, cooldown_minutes: 1_440 },
    isDefault: true,
  },
  spike: {
    label: 'Spike of visits',
    sentence: 'Agents visit far more than in the previous 24 hours.',
    test: 'rise',
    subject: 'none',
    who: 'Agents',
    lasts: true,
    isScoped: true,
    message: 'made {value|visit|visits}; {usual|is|are} usual',
    minimumOf: 'visits in the window',
    defaults: { ...usual, threshold: 3.5, minimum: 200 },
    isDefault: false,
  },
  drop: {
    label: 'Drop of visits',
    sentence: 'Agents visit far less than in the previous 24 hours.',
    test: 'fall',
    subject: 'none',
    who: 'Agents',
    lasts: true,
    isScoped: true,
    message: 'made {value|visit|visits}; {usual|is|are} usual',
    minimumOf: 'usual visits in the window',
    defaults: { ...usual, threshold: 3, minimum: 100 },
    isDefault: false,
  },
  spoofing: {
    label: 'Spoofing of an agent',
    sentence: 'Visits claim to be an agent but fail its verification.',
    test: 'count',
    subject: 'agent',
    who: 'An agent',
    lasts: true,
    isScoped: true,
    message: 'was spoofed in {value|visit|visits}',
    minimumOf: null,
    defaults: { ...usual, threshold: 20, minimum: 0, cooldown_minutes: 1_440 },
    isDefault: true,
  },
  verified_share: {
    label: 'Fewer verified visits',
    sentence: 'The share of verified visits drops compared with the previous 24 hours.',
    test: 'share_fall',
    subject: 'none',
    who: 'Agents',
    lasts: true,
    isScoped: true,
    message: 'were verified in {value} % of visits; {usual} % are usual',
    minimumOf: 'visits in the window',
    defaults: { ...usual, threshold: 30, minimum: 50 },
    isDefault: false,
  },
  errors: {
    label: 'Errors served to an agent',
    sentence: 'Your site returns errors (status 400 or above) to an agent.',
    test: 'share',
    subject: 'agent',
    who: 'An agent',
    lasts: true,
    isScoped: true,
    message: 'got errors for {value} % of its requests',
    minimumOf: 'requests of the agent in the window',
    defaults: { ...usual, threshold: 50, minimum: 50 },
    isDefault: true,
  },
  blocked: {
    label: 'Blocked although allowed',
    sentence: 'Your site returns 403 to an agent that robots.txt allows.',
    test: 'share',
    subject: 'agent',
    who: 'An agent',
    lasts: true,
    isScoped: true,
    message: 'got status 403 for {value} % of the requests that robots.txt allows',
    minimumOf: 'allowed requests of the agent in the window',
    defaults: { ...usual, threshold: 20, minimum: 20 },
    isDefault: false,
  },
  disallowed: {
    label: 'Disallowed fetches',
    sentence: 'An agent fetches pages that robots.txt disallows.',
    test: 'count',
    subject: 'agent',
    who: 'An agent',
    lasts: true,
    isScoped: true,
    message: 'fetched disallowed pages {value|time|times}',
    minimumOf: null,
    defaults: { ...usual, threshold: 20, minimum: 0, cooldown_minutes: 1_440 },
    isDefault: false,
  },
  robots_missing: {
    label: 'robots.txt not served',
    sentence: 'A host returns an error for robots.txt, or no longer has one.',
    test: 'seen',
    subject: 'host',
    who: 'A host',
    lasts: true,
    isScoped: false,
    message: 'does not serve robots.txt',
    minimumOf: null,
    defaults: { ...usual, threshold: 0, minimum: 0, recovery_minutes: 15 },
    isDefault: false,
  },
  no_visits: {
    label: 'Nothing reported',
    sentence: 'Your site no longer reports any visits, from agents or people.',
    test: 'silence',
    subject: 'none',
    who: 'Your site',
    lasts: true,
    isScoped: false,
    message: 'reported no visits; {usual|is|are} usual',
    minimumOf: 'usual visits in the window',
    defaults: { ...usual, threshold: 0, minimum: 20, recovery_minutes: 15 },
    isDefault: true,
  },
  tool_errors: {
    label: 'MCP tool errors',
    sentence: 'Calls to your MCP tools fail.',
    test: 'share',
    subject: 'none',
    who: 'MCP tools',
    lasts: true,
    isScoped: false,
    message: 'failed in {value} % of calls',
    minimumOf: 'calls in the window',
    defaults: { ...usual, threshold: 20, minimum: 20 },
    isDefault: false,
  },
  referral_spike: {
    label: 'Spike of referrals',
    sentence: 'AI assistants refer far more people than in the previous 24 hours.',
    test: 'rise',
    subject: 'none',
    who: 'AI assistants',
    lasts: true,
    isScoped: false,
    message: 'sent {value|person|people}; {usual|is|are} usual',
    minimumOf: 'referrals in the window',
    defaults: { ...usual, threshold: 3.5, minimum: 20 },
    isDefault: false,
  },
} as const satisfies Record<string, AlertKindInfo>;

export type AlertKind = keyof typeof ALERT_KINDS;

export const ALERT_KIND_NAMES = Object.keys(ALERT_KINDS) as AlertKind[];

export const alertKindInfo = (kind: AlertKind): AlertKindInfo => ALERT_KINDS[kind];
