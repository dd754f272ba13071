import { formatTimeSpan } from '#libs/contracts/time-span';
import type { Alert, AlertKind } from '../../api/alerts.js';
import { formatCount } from '../../format/count.js';

type Condition = Pick<Alert, 'threshold' | 'minimum' | 'window_minutes'>;

/** Threshold field labels by test, or null for tests without a threshold. */
export const THRESHOLD_LABELS: Record<string, string | null> = {
  count: 'Minimum visits',
  share: 'Minimum percentage',
  share_fall: 'Percentage points lower than usual',
  rise: 'Standard deviations above usual',
  fall: 'Standard deviations below usual',
  seen: null,
  silence: null,
};

/** Returns an alert's condition, such as "20 visits within an hour". */
export function formatCondition({ kind, test, minimum_of: minimumOf }: AlertKind, condition: Condition): string {
  const { threshold, minimum, window_minutes: minutes } = condition;
  const minimumText = minimumOf === null || minimum === 0 ? '' : `, at least ${formatCount(minimum)} ${minimumOf}`;
  const windowText = `within ${formatTimeSpan(minutes)}`;
  switch (test) {
    case 'count':
      return `${formatCount(threshold)} ${threshold === 1 ? 'visit' : 'visits'} ${windowText}`;
    case 'share':
      return `${threshold}% ${windowText}${minimumText}`;
    case 'share_fall':
      return `${threshold} points lower ${windowText}${minimumText}`;
    case 'rise':
      return `far more than usual ${windowText}${minimumText}`;
    case 'fall':
      return `far fewer than usual ${windowText}${minimumText}`;
    case 'silence':
      return `no visits ${windowText}${minimum === 0 ? '' : `, when at least ${formatCount(minimum)} are usual`}`;
    default:
      return kind === 'new_agent' ? 'once per agent' : windowText;
  }
}

/** Completes "Tell me when …". For kinds with a scope, it's followed by the scope. */
export const KIND_PHRASES: Readonly<Record<AlertKind['kind'], string>> = {
  spoofing: 'someone poses as',
  new_agent: 'there’s a first visit in 30 days by',
  disallowed: 'robots.txt is ignored by',
  spike: 'visits rise sharply from',
  drop: 'visits drop sharply from',
  errors: 'my site returns errors to',
  blocked: 'my site blocks, against its robots.txt,',
  agent_load: 'too many requests come from',
  verified_share: 'fewer visits are verified from',
  no_visits: 'my site reports no visits',
  robots_missing: 'robots.txt can’t be fetched',
  referral_spike: 'AI assistants send far more people',
  tool_errors: 'MCP tools fail',
};

/** Returns the agent, type or operator that an alert is limited to, or null for all agents. */
const getScopeName = (alert: Alert): string | null =>
  alert.agent_token ?? alert.agent_id ?? alert.agent_type ?? alert.operator;

/** Returns an alert's name, such as "Agent spoofing: GPTBot". */
export function getAlertName({ label }: AlertKind, alert: Alert): string {
  const scope = getScopeName(alert);
  return scope === null ? label : `${label}: ${scope}`;
}

export function formatPreview(fired: number, days: number): string {
  if (fired === 0) return `Would not have fired in the last ${days} days.`;
  const times = fired === 1 ? 'once' : `${formatCount(fired)} times`;
  return `Would have fired ${times} in the last ${days} days.`;
}
