import { Text } from '@mantine/core';
import { Dropdown } from '../ui/dropdown.js';
import { useClock } from '../ui/use-clock.js';
import { DayPicker } from './day-range-picker.js';
import type { ShownRange } from './use-range.js';
import { toDay } from './zoned-day.js';
import { fromInput, toInput } from './zoned-input.js';

export interface CustomComparisonProps {
  shown: ShownRange;
  /** Start that is selected initially. */
  from: string;
  onChoose: (from: string) => void;
  onClose: () => void;
}

/** Panel for selecting the first day of the comparison range. Its time of day and length match the page's range. */
export default function CustomComparison({ shown, from, onChoose, onClose }: CustomComparisonProps) {
  const { timeZone } = shown;
  const clock = toInput(shown.from, timeZone).slice(11);
  return (
    <Dropdown label="Compare with" width="max-content" onClose={onClose}>
      <DayPicker
        value={toDay(from, timeZone)}
        onChange={(day) => onChoose(fromInput(`${day}T${clock}`, timeZone)!)}
        today={toDay(new Date(useClock()).toISOString(), timeZone)}
      />
      <Text size="xs" c="dimmed" maw={252} mt="xs">
        The period starts at {clock} on this day and is as long as the one on this page.
      </Text>
    </Dropdown>
  );
}
