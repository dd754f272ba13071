import { until } from './instance.js';
import type { Load } from './load.js';

/** Whether faults last and repeat as in the tables of docs/reliability.md; otherwise each comes once and ends soon. */
export const isFull = process.env['FAULTS'] === 'full';

/** Resolves when clients have met what is away: after so many answers and, in the full form, so many seconds. */
export async function outage(load: Load, seconds: number, answers = 500): Promise<void> {
  const answered = load.durations.length + answers;
  const end = Date.now() + (isFull ? seconds * 1_000 : 0);
  await until(() => load.durations.length >= answered && Date.now() >= end, {
    what: `${answers} requests are answered`,
    within: seconds * 1_000 + 60_000,
  });
}
