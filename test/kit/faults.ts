import { until } from './instance.js';
import type { Load } from './load.js';

/**
 * Whether faults last as long and repeat as often as documented in docs/reliability.md. Otherwise, each is short and
 * happens once.
 */
export const isFull = process.env['FAULTS'] === 'full';

/** Waits until clients have noticed an outage: for that many more responses and, in full runs, that many seconds. */
export async function outage(load: Load, seconds: number, answers = 500): Promise<void> {
  const answered = load.durations.length + answers;
  const end = Date.now() + (isFull ? seconds * 1_000 : 0);
  await until(() => load.durations.length >= answered && Date.now() >= end, {
    what: `${answers} requests are answered`,
    within: seconds * 1_000 + 60_000,
  });
}
