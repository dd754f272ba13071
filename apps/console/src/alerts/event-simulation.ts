import type { MetCondition } from '#libs/visit-store';

interface Behavior {
  cooldownMs: number;
  recoveryMs: number;
  /** Whether an event stays open until it recovers. */
  lasts: boolean;
  /** Whether the cooldown ends early when the value has doubled since the alert fired. */
  isCount: boolean;
}

interface PreviewedEvent extends Omit<MetCondition, 'alert_id' | 'at' | 'until'> {
  firedAt: number;
  /** Null if the event is still open. */
  recoveredAt: number | null;
}

const QUARTER_MS = 900_000;

/**
 * Simulates an alert's events with the same rules as the evaluation.
 *
 * @param met Times the condition was met, in chronological order. Each is the end of a quarter hour.
 * @param until Time of the last evaluation.
 */
export function simulateEvents(
  met: readonly MetCondition[],
  { cooldownMs, recoveryMs, lasts, isCount }: Behavior,
  until: number,
): PreviewedEvent[] {
  const events: PreviewedEvent[] = [];
  const open = new Map<string, { event: PreviewedEvent; lastMet: number }>();
  // An event recovers at the earliest one evaluation after its condition was last met.
  const getRecoveryTime = (lastMet: number): number => lastMet + Math.max(recoveryMs, QUARTER_MS);
  for (const { subject, value, usual, at } of met) {
    const time = at.getTime();
    const previous = open.get(subject);
    if (previous !== undefined && lasts && time <= getRecoveryTime(previous.lastMet)) {
      previous.lastMet = time;
      continue;
    }
    if (previous !== undefined && lasts) previous.event.recoveredAt = getRecoveryTime(previous.lastMet);
    const hasDoubled = isCount && previous !== undefined && value >= 2 * previous.event.value;
    if (previous !== undefined && time < previous.event.firedAt + cooldownMs && !hasDoubled) continue;
    const event = { subject, value, usual, firedAt: time, recoveredAt: lasts ? null : time };
    events.push(event);
    open.set(subject, { event, lastMet: time });
  }
  for (const { event, lastMet } of open.values()) {
    if (lasts && event.recoveredAt === null && getRecoveryTime(lastMet) <= until)
      event.recoveredAt = getRecoveryTime(lastMet);
  }
  return events;
}
