import '@mantine/dates/styles.css';
import { useMediaQuery } from '@mantine/hooks';
import { DatePicker, type DayOfWeek } from '@mantine/dates';
import type { KeyboardEvent } from 'react';
import { formatTime } from '../format/time.js';
import classes from './day-range-picker.module.css';
import { getDayPresets } from './day-presets.js';

/** First and last day, such as "2026-11-21". The last day is null until it's selected. */
export type DayRange = [first: string | null, last: string | null];

interface DayRangePickerProps {
  value: DayRange;
  onChange: (value: DayRange) => void;
  /** Last selectable day. */
  today: string;
}

/** Calendar for selecting a range of days, with presets. */
export function DayRangePicker({ value, onChange, today }: DayRangePickerProps) {
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false;
  return (
    <div className={classes['picker']} onKeyDown={keepArrowKeys}>
      <DatePicker
        {...CALENDAR_PROPS}
        type="range"
        allowSingleDateInRange
        numberOfColumns={isNarrow ? 1 : 2}
        columnsToScroll={1}
        fullWidth={isNarrow}
        defaultDate={getFirstMonth(value[1] ?? today, isNarrow)}
        maxDate={today}
        value={value}
        onChange={onChange}
        presets={getDayPresets(today)}
        classNames={{ datePickerRoot: classes['root']!, presetsList: classes['presets']! }}
      />
    </div>
  );
}

interface DayPickerProps {
  value: string;
  onChange: (day: string) => void;
  today: string;
}

/** Calendar for selecting a day. */
export const DayPicker = ({ value, onChange, today }: DayPickerProps) => (
  <div className={classes['picker']} onKeyDown={keepArrowKeys}>
    <DatePicker
      {...CALENDAR_PROPS}
      defaultDate={value}
      maxDate={today}
      value={value}
      onChange={(day) => day !== null && onChange(day)}
    />
  </div>
);

/** Appearance and labels of all calendars. */
export const CALENDAR_PROPS = {
  size: 'sm',
  firstDayOfWeek: 0,
  weekendDays: [] as DayOfWeek[],
  hideOutsideDates: true,
  getDayAriaLabel: (day: string) => formatTime(day, 'UTC', { dateStyle: 'long' }),
  ariaLabels: {
    previousMonth: 'Previous month',
    nextMonth: 'Next month',
    previousYear: 'Previous year',
    nextYear: 'Next year',
    previousDecade: 'Previous decade',
    nextDecade: 'Next decade',
  },
} as const;

/** Returns the first displayed month, so that the last selected day is in the last displayed one. */
function getFirstMonth(last: string, isNarrow: boolean): string {
  const month = new Date(`${last.slice(0, 7)}-01`);
  if (!isNarrow) month.setUTCMonth(month.getUTCMonth() - 1);
  return month.toISOString().slice(0, 10);
}

/** Stops arrow keys, which move between days, from also moving between the buttons of the surrounding dropdown. */
function keepArrowKeys(event: KeyboardEvent<HTMLElement>): void {
  if (event.key.startsWith('Arrow')) event.stopPropagation();
}
