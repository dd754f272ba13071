/**
 * How an alert decides, over what it counts in its window. `part` and `whole` are two sums of counts; most kinds have no whole.
 *
 * - `seen`: something is there that should be told; the threshold means nothing.
 * - `count`: the part is at least the threshold.
 * - `share`: the part is at least the threshold's percentage of the whole.
 * - `share_fall`: the part's percentage of the whole is the threshold's points lower than in the baseline.
 * - `rise`, `fall`: the part's average per quarter of an hour is the threshold's standard deviations above, or below, the baseline's.
 * - `silence`: nothing is counted.
 */
export type AlertTest = 'seen' | 'count' | 'share' | 'share_fall' | 'rise' | 'fall' | 'silence';

interface AlertKindInfo {
  label: string;
  /** What it tells, as a sentence. */
  sentence: string;
  test: AlertTest;
  /** What fires and recovers each apart from the others; `none`: it is about one thing. */
  subject: 'agent' | 'host' | 'none';
  /** Who its message is about, where it is about no agent, type, operator or host. */
  who: string;
  /** Whether it lasts until it recovers. */
  lasts: boolean;
  /** Whether it can be about an agent, a type or an operator alone. */
  isScoped: boolean;
  /**
   * How its message goes on after the name of the subject: `{value}` and `{usual}` stand for numbers, `{value|visit|visits}`
   * for a number with the word that goes with it.
   */
  message: string;
  /** Of what {@link AlertSettings.minimum} is the least; null where there is no minimum. */
  minimumOf: string | null;
  /** Settings of a new alert. */
  defaults: {
    threshold: number;
    minimum: number;
    window_minutes: number;
    cooldown_minutes: number;
    recovery_minutes: number;
  };
  /** Whether a new project has it. */
  isDefault: boolean;
}

const usual = { window_minutes: 60, cooldown_minutes: 240, recovery_minutes: 60 };

/** The kinds of alerts. What each counts is the SQL of `apps/console/src/alerts/measures.ts`. */
export const ALERT_KINDS = {
  new_agent: {
    label: 'New agent',
    sentence: 'An agent visits that did not visit in the 30 days before.',
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
    sentence: 'Agents visit far more than in the 24 hours before.',
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
    sentence: 'Agents visit far less than in the 24 hours before.',
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
    sentence: 'Visits claim to be an agent, and fail its verification.',
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
    sentence: 'The share of verified visits falls, compared with the 24 hours before.',
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
    sentence: 'Your site answers an agent with errors: status 400 or above.',
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
    sentence: 'Your site answers 403 to an agent that robots.txt allows.',
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
    sentence: 'An agent fetches what robots.txt disallows.',
    test: 'count',
    subject: 'agent',
    who: 'An agent',
    lasts: true,
    isScoped: true,
    message: 'fetched {value|time|times} what robots.txt disallows',
    minimumOf: null,
    defaults: { ...usual, threshold: 20, minimum: 0, cooldown_minutes: 1_440 },
    isDefault: false,
  },
  robots_missing: {
    label: 'robots.txt not served',
    sentence: 'A host answers with an error for robots.txt, or no longer has it.',
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
    sentence: 'Your site reports no visits any more, of agents or people.',
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
    sentence: 'Calls of your MCP tools fail.',
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
    sentence: 'AI assistants send far more people than in the 24 hours before.',
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
