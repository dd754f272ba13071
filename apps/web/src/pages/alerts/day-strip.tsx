import classes from './day-strip.module.css';

interface DayStripProps {
  /** Number of events by day, oldest first. The last day is today. */
  days: readonly number[];
  name: string;
  isFiring: boolean;
}

/** One bar per day, filled if an alert fired. */
export function DayStrip({ days, name, isFiring }: DayStripProps) {
  const total = days.reduce((sum, events) => sum + events, 0);
  const fired = total === 0 ? 'didn’t fire' : total === 1 ? 'fired once' : `fired ${total} times`;
  return (
    <div className={classes['strip']} role="img" aria-label={`${name} ${fired} in the last ${days.length} days`}>
      {days.map((events, index) => {
        const daysAgo = days.length - 1 - index;
        return (
          <span
            key={daysAgo}
            className={classes['day']}
            data-fired={events > 0 || undefined}
            data-firing={(isFiring && daysAgo === 0) || undefined}
            title={`${formatDay(daysAgo)}: ${events === 0 ? 'quiet' : events === 1 ? 'fired once' : `fired ${events} times`}`}
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
