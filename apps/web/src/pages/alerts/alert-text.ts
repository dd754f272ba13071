import { spanText } from '#libs/contracts/span-text';
import type { Alert, AlertKind } from '../../api/alerts.js';
import { countText } from '../../format/count.js';

type Condition = Pick<Alert, 'threshold' | 'minimum' | 'window_minutes'>;

/** Labels of the threshold field by test. Null for tests without a threshold. */
export const THRESHOLD_LABELS: Record<string, string | null> = {
  count: 'Visits, at least',
  share: 'Percent, at least',
  share_fall: 'Percentage points lower than usual',
  rise: 'Standard deviations above usual',
  fall: 'Standard deviations below usual',
  seen: null,
  silence: null,
};

/** Returns the condition of an alert, such as "20 visits within an hour". */
export function conditionText({ kind, test, minimum_of: minimumOf }: AlertKind, condition: Condition): string {
  const { threshold, minimum, window_minutes: minutes } = condition;
  const least = minimumOf === null || minimum === 0 ? '' : `, at least ${countText(minimum)} ${minimumOf}`;
  const within = `within ${spanText(minutes)}`;
  switch (test) {
    case 'count':
      return `${countText(threshold)} ${threshold === 1 ? 'visit' : 'visits'} ${within}`;
    case 'share':
      return `${threshold} % ${within}${least}`;
    case 'share_fall':
      return `${threshold} points lower ${within}${least}`;
    case 'rise':
    case 'fall':
      return `${threshold} standard deviations ${within}${least}`;
    case 'silence':
      return `no visits ${within}${minimum === 0 ? '' : `, where at least ${countText(minimum)} are usual`}`;
    default:
      return kind === 'new_agent' ? 'once per agent' : within;
  }
}

/** Returns the agent, type or operator that an alert is limited to, or null for all agents. */
export const scopeText = (alert: Alert): string | null =>
  alert.agent_token ?? alert.agent_id ?? alert.agent_type ?? alert.operator;

/** Returns text such as "Would have fired 3 times in the last 30 days." */
export function previewText(fired: number, days: number): string {
  if (fired === 0) return `Would not have fired in the last ${days} days.`;
  const times = fired === 1 ? 'once' : `${countText(fired)} times`;
  return `Would have fired ${times} in the last ${days} days.`;
}
