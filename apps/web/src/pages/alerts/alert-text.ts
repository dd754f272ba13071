import type { Alert, AlertKind } from '../../api/alerts.js';
import { formatCount } from '../../format/count.js';

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

/** Completes "Tell me when …". For kinds with a scope, it's followed by the scope. */
export const KIND_PHRASES: Readonly<Record<AlertKind['kind'], string>> = {
  spoofing: 'visitors falsely claim to be',
  new_agent: 'I get a first visit in 30 days from',
  disallowed: 'robots.txt is ignored by',
  spike: 'visits rise sharply from',
  drop: 'visits drop sharply from',
  errors: 'my site returns errors to',
  server_errors: 'my site returns server errors',
  blocked: 'robots.txt allows, but my site blocks,',
  agent_load: 'too many requests are sent by',
  verified_share: 'fewer visits are verified from',
  no_visits: 'my site reports no visits',
  robots_missing: 'robots.txt can’t be fetched',
  referral_spike: 'AI assistants send far more people',
  tool_errors: 'MCP tools fail',
};

type Scope = Partial<Pick<Alert, 'agent_token' | 'agent_id' | 'agent_type' | 'operator'>>;

/** Returns an alert's name, such as "Visits claiming to be GPTBot fail verification". */
export function getAlertName({ label, scoped_label: scopedLabel }: AlertKind, scope: Scope): string {
  const name = scope.agent_token ?? scope.agent_id ?? scope.agent_type ?? scope.operator;
  return name == null || scopedLabel === null ? label : scopedLabel.replace('{scope}', () => name);
}

/** Returns text such as "twice". */
export const formatTimes = (count: number): string =>
  count === 1 ? 'once' : count === 2 ? 'twice' : `${formatCount(count)} times`;

/**
 * Describes how often an alert would have fired.
 *
 * @param actual Number of times that a saved alert fired. Differs if it was added or changed within these days.
 */
export function formatPreview(fired: number, days: number, actual?: number): string {
  const isActual = actual === fired;
  if (actual !== undefined && !isActual) {
    const text = actual === 0 ? 'Didn’t fire' : `Fired ${formatTimes(actual)}`;
    const settings = fired === 0 ? 'it wouldn’t have fired' : `it would have fired ${formatTimes(fired)}`;
    return `${text} in the last ${days} days. With its current settings, ${settings}.`;
  }
  if (fired === 0) return `${isActual ? 'Didn’t fire' : 'Would not have fired'} in the last ${days} days.`;
  return `${isActual ? 'Fired' : 'Would have fired'} ${formatTimes(fired)} in the last ${days} days.`;
}
