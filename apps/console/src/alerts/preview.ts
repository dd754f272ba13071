import type { MetCondition } from '#libs/visit-store';

/** How an alert behaves once its condition is met. */
interface Behavior {
  cooldownMs: number;
  recoveryMs: number;
  /** Whether an event lasts until it recovers. */
  lasts: boolean;
}

interface PreviewedEvent extends Omit<MetCondition, 'alert_id' | 'at'> {
  firedAt: number;
  /** Null while it lasts. */
  recoveredAt: number | null;
}

const QUARTER_MS = 900_000;

/**
 * How an alert would have fired and recovered, as the evaluation records it.
 *
 * @param met in order of time, at ends of quarters of an hour.
 * @param until the last time that was looked at.
 */
export function eventsOf(
  met: readonly MetCondition[],
  { cooldownMs, recoveryMs, lasts }: Behavior,
  until: number,
): PreviewedEvent[] {
  const events: PreviewedEvent[] = [];
  const open = new Map<string, { event: PreviewedEvent; lastMet: number }>();
  // It is over at the first time, after the one it was last met at, by which it wasn't met for long enough.
  const endAfter = (lastMet: number): number => lastMet + Math.max(recoveryMs, QUARTER_MS);
  for (const { subject, value, usual, at } of met) {
    const time = at.getTime();
    const former = open.get(subject);
    if (former !== undefined && lasts && time <= endAfter(former.lastMet)) {
      former.lastMet = time;
      continue;
    }
    if (former !== undefined && lasts) former.event.recoveredAt = endAfter(former.lastMet);
    if (former !== undefined && time < former.event.firedAt + cooldownMs) continue;
    const event = { subject, value, usual, firedAt: time, recoveredAt: lasts ? null : time };
    events.push(event);
    open.set(subject, { event, lastMet: time });
  }
  for (const { event, lastMet } of open.values()) {
    if (lasts && event.recoveredAt === null && endAfter(lastMet) <= until) event.recoveredAt = endAfter(lastMet);
  }
  return events;
}
