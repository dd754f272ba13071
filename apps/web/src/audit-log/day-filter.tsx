import { Box, Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { Days } from '../api/audit.js';
import { formatDayRange, formatTime } from '../format/time.js';

const DayFilterPanel = lazy(() => import('./day-filter-panel.js'));

interface DayFilterProps {
  days: Days;
  timeZone: string;
  onChange: (days: Days) => void;
}

/** Filter by days in the given time zone. */
export function DayFilter({ days, timeZone, onChange }: DayFilterProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Box pos="relative">
      <Button
        size="xs"
        variant="default"
        fw={400}
        display="block"
        aria-label={`When (${timeZone}): ${formatDays(days)}`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {formatDays(days)}
      </Button>
      <Suspense>
        {isOpen && (
          <DayFilterPanel
            days={days}
            timeZone={timeZone}
            onChange={(chosen) => {
              setOpen(false);
              onChange(chosen);
            }}
            onClose={() => setOpen(false)}
          />
        )}
      </Suspense>
    </Box>
  );
}

function formatDays({ from, to }: Days): string {
  if (from !== undefined && to !== undefined) return formatDayRange(from, to, 'UTC');
  const formatDay = (day: string): string => formatTime(day, 'UTC', { dateStyle: 'medium' });
  if (from !== undefined) return `Since ${formatDay(from)}`;
  return to === undefined ? 'Any time' : `Until ${formatDay(to)}`;
}
