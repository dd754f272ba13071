import type { AlertKind, NewAlert } from '../../api/alerts.js';

const DAY_MINUTES = 1_440;

/** Returns settings to suggest for an alert, from the least to the most sensitive. The first are the normal ones. */
export function toCandidates({ test, minimum_of: minimumOf, defaults, sensitivities }: AlertKind, alert: NewAlert) {
  const high = sensitivities?.high.threshold;
  const candidates: NewAlert[] = [alert];
  if (test === 'count' && high !== undefined) {
    candidates.push({ ...alert, threshold: high }, { ...alert, threshold: 2 * high, window_minutes: DAY_MINUTES });
  }
  if (minimumOf !== null && alert.minimum === undefined) {
    candidates.push({ ...alert, minimum: defaults.minimum / 2 }, { ...alert, minimum: defaults.minimum / 4 });
  }
  return candidates;
}
