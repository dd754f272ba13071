import { DatePickerInput } from '@mantine/dates';
import type { GetInputPropsReturnType } from '@mantine/form';
import { CALENDAR_PROPS } from './day-range-picker.js';
import { formatInputDay } from './format-input-day.js';

/** The value is a day such as "2026-11-21", or an empty string for none. */
export interface DayInputProps extends GetInputPropsReturnType {
  label: string;
  description?: string;
  placeholder?: string;
  /** First selectable day. */
  min?: string;
  /** Last selectable day. */
  max?: string;
  /** Adds a button that clears the day. */
  isOptional?: boolean;
}

/** Field that opens a calendar. */
export default function DayInputCalendar({ value, min, max, isOptional = false, onChange, ...props }: DayInputProps) {
  const day = value as string;
  return (
    <DatePickerInput
      {...CALENDAR_PROPS}
      {...props}
      // The label replaces a button's content, so it has to include the day.
      aria-label={`${props.label}: ${formatInputDay(day) || (props.placeholder ?? 'none')}`}
      valueFormatter={({ date }) => (typeof date === 'string' ? formatInputDay(date) : '')}
      value={day || null}
      onChange={(selected) => onChange(selected ?? '')}
      {...(min !== undefined && { minDate: min })}
      {...(max !== undefined && { maxDate: max })}
      clearable={isOptional}
      clearButtonProps={{ 'aria-label': `Clear ${props.label}` }}
      popoverProps={{ returnFocus: true }}
    />
  );
}
