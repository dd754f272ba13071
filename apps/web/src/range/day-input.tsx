import { TextInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { lazy, Suspense } from 'react';
import { formatInputDay } from './format-input-day.js';

const DayInputCalendar = lazy(() => import('./day-input-calendar.js'));

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

/** Form field for a day. Looks the same while the calendar is loading. */
export function DayInput(props: DayInputProps) {
  const { label, description, placeholder } = props;
  return (
    <Suspense
      fallback={
        <TextInput {...{ label, description, placeholder }} readOnly value={formatInputDay(props.value as string)} />
      }
    >
      <DayInputCalendar {...props} />
    </Suspense>
  );
}
