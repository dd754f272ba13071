import { formatTimeSpan } from '#libs/contracts/time-span';
import type { Alert, AlertKind } from '../api/alerts.js';
import { formatCount } from '../format/count.js';

type Condition = Pick<Alert, 'threshold' | 'minimum' | 'window_minutes'>;

/** Counted visits by kind. */
const COUNTED: Partial<Record<AlertKind['kind'], string>> = {
  spoofing: 'visits that failed verification',
  agent_load: 'requests by one agent',
  disallowed: 'disallowed fetches by one agent',
};
/** Measured shares by kind. */
const SHARES: Partial<Record<AlertKind['kind'], string>> = {
  errors: 'errors',
  server_errors: 'server errors',
  blocked: 'blocked',
  tool_errors: 'failures',
};

/** Returns an alert's condition, such as "50% errors within an hour, out of at least 50 requests". */
export function formatCondition({ kind, test, minimum_of: minimumOf }: AlertKind, condition: Condition): string {
  const { threshold, minimum, window_minutes: minutes } = condition;
  const span = formatTimeSpan(minutes);
  const hasMinimum = minimumOf !== null && minimum > 0;
  const outOf = hasMinimum ? `, out of at least ${formatCount(minimum)} ${minimumOf}` : '';
  const normally = hasMinimum ? ` that normally has ${formatCount(minimum)} or more` : '';
  switch (test) {
    case 'count':
      return `${formatCount(threshold)} or more ${COUNTED[kind] ?? 'visits'} within ${span}`;
    case 'share':
      return `${threshold}% ${SHARES[kind] ?? ''} within ${span}${outOf}`;
    case 'share_fall':
      return `${threshold} points lower than usual within ${span}${outOf}`;
    case 'rise':
      return `far more than usual within ${span}${hasMinimum ? `, and at least ${formatCount(minimum)} ${minimumOf}` : ''}`;
    case 'fall':
      return `far fewer than usual within ${span}${normally}`;
    case 'silence':
      return `no visits for ${span}${normally}`;
    default:
      return kind === 'new_agent' ? 'new, or back after 30 days or more' : `for ${span}`;
  }
}
