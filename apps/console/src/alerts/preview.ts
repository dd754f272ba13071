import type { MetCondition } from '#libs/visit-store';

interface Behavior {
  cooldownMs: number;
  recoveryMs: number;
  /** Whether an event lasts until it recovers. */
  lasts: boolean;
}

interface PreviewedEvent extends Omit<MetCondition, 'alert_id' | 'at'> {
  firedAt: number;
  /** Null if the event is still active. */
  recoveredAt: number | null;
}

const QUARTER_MS = 900_000;

/**
 * Simulates the events of an alert, following the same rules as the evaluation.
 *
 * @param met in chronological order, each at the end of a quarter hour.
 * @param until last evaluated time.
 */
export function eventsOf(
  met: readonly MetCondition[],
  { cooldownMs, recoveryMs, lasts }: Behavior,
  until: number,
): PreviewedEvent[] {
  const events: PreviewedEvent[] = [];
  const open = new Map<string, { event: PreviewedEvent; lastMet: number }>();
  // Recovery takes at least one evaluation after the condition was last met.
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
