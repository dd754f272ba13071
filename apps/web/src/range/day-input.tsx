import { TextInput } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { DayInputProps } from './day-input-calendar.js';
import { formatInputDay } from './format-input-day.js';

const DayInputCalendar = lazy(() => import('./day-input-calendar.js'));

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
