import { sum } from '../../charts/busy-span.js';
import { formatTimes } from './alert-text.js';
import classes from './day-strip.module.css';

interface DayStripProps {
  /** Number of events by day, oldest first. The last day is today. */
  days: readonly number[];
  /** Number of times by day that the alert would have fired if it had existed. */
  missed: readonly number[] | undefined;
  name: string;
  isFiring: boolean;
}

/** One bar per day, filled if an alert fired, and lighter with an outline if it would have fired before it existed. */
export function DayStrip({ days, missed, name, isFiring }: DayStripProps) {
  const total = sum(days);
  const missedTotal = sum(missed ?? []);
  const fired =
    total > 0
      ? `fired ${formatTimes(total)}`
      : missedTotal > 0
        ? `would have fired ${formatTimes(missedTotal)}`
        : 'didn’t fire';
  return (
    <div className={classes['strip']} role="img" aria-label={`${name} ${fired} in the last ${days.length} days`}>
      {days.map((events, index) => {
        const daysAgo = days.length - 1 - index;
        const missedEvents = missed?.[index] ?? 0;
        const what =
          events > 0
            ? `fired ${formatTimes(events)}`
            : missedEvents > 0
              ? `would have fired ${formatTimes(missedEvents)}`
              : 'quiet';
        return (
          <span
            key={daysAgo}
            className={classes['day']}
            data-fired={events > 0 || undefined}
            data-missed={(events === 0 && missedEvents > 0) || undefined}
            data-firing={(isFiring && daysAgo === 0) || undefined}
            title={`${formatDay(daysAgo)}: ${what}`}
          />
        );
      })}
    </div>
  );
}

function formatDay(daysAgo: number): string {
  if (daysAgo < 2) return daysAgo === 0 ? 'Today' : 'Yesterday';
  return `${daysAgo} days ago`;
}

/** Labels the days of the strips below. */
export const DayAxis = ({ days }: { days: number }) => (
  <div className={classes['axis']} aria-hidden="true">
    <span>Last {days} days</span>
    <span>today</span>
  </div>
);
