import { Title } from '@mantine/core';
import type { CSSProperties } from 'react';
import type { Report } from '../../api/reports.js';
import { selectLevels } from '../../charts/bar-geometry.js';
import { formatCount } from '../../format/count.js';
import classes from './day-chart.module.css';

/** Maximum number of days whose values and names fit next to each other. */
const MAX_LABELED_DAYS = 8;
/** Number of days per label if there are more, by the number of days. Even, because phones omit every other label. */
const toStep = (days: number): number => 2 * Math.ceil(days / 8);

/** Bars for the agent visits of each day, with values and axes, also in print. */
export function DayChart({ days }: { days: Report['days'] }) {
  const highest = Math.max(...days.map(({ visits }) => visits));
  const levels = selectLevels(highest);
  const axisLabelLength = Math.max(...levels.map((level) => formatCount(level).length));
  const total = days.reduce((sum, { visits }) => sum + visits, 0);
  const hasValues = days.length <= MAX_LABELED_DAYS;
  const step = hasValues ? 1 : toStep(days.length);
  const toShare = (visits: number): string => `${(visits / levels.at(-1)!) * 100}%`;
  return (
    <figure className={classes['chart']} style={{ '--axis': `calc(${axisLabelLength}ch + 8px)` } as CSSProperties}>
      <Title order={3} mb={8}>
        Agent visits by day
      </Title>
      <div
        className={classes['plot']}
        role="img"
        aria-label={`${formatCount(total)} agent visits from ${days[0]?.day} to ${days.at(-1)?.day}, ${formatCount(highest)} on the busiest day`}
      >
        {levels.map((level) => (
          <span key={level} className={classes['level']} style={{ bottom: toShare(level) }}>
            <span>{formatCount(level)}</span>
          </span>
        ))}
        <div className={classes['bars']}>
          {days.map(({ day, visits }) => (
            <div
              key={day}
              className={classes['bar']}
              style={{ height: toShare(visits) }}
              title={`${day}: ${formatCount(visits)}`}
            >
              {hasValues && <span>{formatCount(visits)}</span>}
            </div>
          ))}
        </div>
      </div>
      <div className={classes['days']} aria-hidden="true">
        {days.map(({ day }, index) => (
          <span key={day}>{index % step === 0 && <span>{day.replace(/^\w+, /, '')}</span>}</span>
        ))}
      </div>
    </figure>
  );
}
