import { Button } from '@mantine/core';
import { useState } from 'react';
import { DayRangePicker, type DayRange } from '../range/day-range-picker.js';
import { toDay } from '../range/zoned-day.js';
import { Dropdown } from '../ui/dropdown.js';
import type { Days } from '../api/audit.js';

interface DayFilterPanelProps {
  days: Days;
  timeZone: string;
  onChange: (days: Days) => void;
  onClose: () => void;
}

/** Calendar of the day filter. Opens below its sibling button. */
export default function DayFilterPanel({ days, timeZone, onChange, onClose }: DayFilterPanelProps) {
  const today = toDay(new Date().toISOString(), timeZone);
  const [value, setValue] = useState<DayRange>([days.from ?? null, days.to ?? null]);
  const select = (range: DayRange): void => {
    const [from, to] = range;
    setValue(range);
    if (from !== null && to !== null) onChange({ from, to });
  };
  const isFiltered = days.from !== undefined || days.to !== undefined;
  return (
    <Dropdown label="Days" width="max-content" onClose={onClose}>
      <DayRangePicker value={value} onChange={select} today={today} />
      {isFiltered && (
        <Button size="xs" variant="default" mt="xs" onClick={() => onChange({})}>
          Any time
        </Button>
      )}
    </Dropdown>
  );
}
