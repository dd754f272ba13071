import { UnstyledButton } from '@mantine/core';
import { excludeHandlers } from '../filters/exclude-handlers.js';
import { Icon } from '../ui/icon.js';
import { COMPARISON_COLOR, type ChartSeries } from './chart.js';
import classes from './time-chart.module.css';

interface SeriesKeysProps {
  series: readonly ChartSeries[];
  /** Labels of the hidden series. */
  hidden: readonly string[];
  onHidden: (hidden: string[]) => void;
  /** Label for the comparison levels. */
  comparison: string | undefined;
  /** Meaning of the hatched items, or null if there are none. */
  partial: string | null;
}

/** Chart legend. Clicking an entry hides or shows its series. The funnel icon filters the page by the series. */
export default function SeriesKeys({ series, hidden, onHidden, comparison, partial }: SeriesKeysProps) {
  return (
    <ul className={classes['keys']} aria-label="Series">
      {series.map((one) => (
        <Key
          key={one.key}
          series={one}
          isOn={!hidden.includes(one.label)}
          onSwitch={() =>
            onHidden(
              hidden.includes(one.label) ? hidden.filter((label) => label !== one.label) : [...hidden, one.label],
            )
          }
        />
      ))}
      {comparison !== undefined && (
        <li>
          <svg width="20" height="10" aria-hidden="true">
            <path d="M1 7H10V3H19" fill="none" stroke={COMPARISON_COLOR} strokeWidth="1.5" />
          </svg>
          {comparison}
        </li>
      )}
      {partial !== null && (
        <li>
          <svg width="12" height="10" aria-hidden="true" className={classes['hatched']}>
            <path d="M-1 5L5 -1M1 10L11 0M7 11L13 5" strokeWidth="2" />
          </svg>
          {partial}
        </li>
      )}
    </ul>
  );
}

interface KeyProps {
  series: ChartSeries;
  isOn: boolean;
  onSwitch: () => void;
}

function Key({ series: { label, color, onFilter }, isOn, onSwitch }: KeyProps) {
  return (
    <li>
      <UnstyledButton className={classes['key']} onClick={onSwitch} aria-pressed={isOn} title={isOn ? 'Hide' : 'Show'}>
        <svg width="10" height="10" aria-hidden="true">
          <rect x="1" y="1" width="8" height="8" rx="1.5" stroke={color} strokeWidth="2" fill={isOn ? color : 'none'} />
        </svg>
        <span className={classes['name']}>{label}</span>
      </UnstyledButton>
      {onFilter && (
        <UnstyledButton
          className={classes['key']}
          aria-label={`Filter by ${label}`}
          title={`Filter by ${label} (Alt+click to exclude)`}
          {...excludeHandlers(
            () => onFilter(true),
            () => onFilter(false),
          )}
        >
          <Icon name="filter" size={13} />
        </UnstyledButton>
      )}
    </li>
  );
}
