import { Box, Button } from '@mantine/core';
import { lazy, Suspense, useId, useState } from 'react';
import { formatDayRange, formatTime } from '../format/time.js';

const DayFilterPanel = lazy(() => import('./day-filter-panel.js'));

/** First and last day, such as "2026-11-21". Either can be omitted in links. */
export interface Days {
  from?: string;
  to?: string;
}

interface DayFilterProps {
  days: Days;
  onChange: (days: Days) => void;
}

/** Filter by days in UTC. */
export function DayFilter({ days, onChange }: DayFilterProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <Box pos="relative">
      <span id={`${id}-label`} className="unseen">
        When (UTC)
      </span>
      <Button
        id={id}
        size="xs"
        variant="default"
        fw={400}
        display="block"
        aria-labelledby={`${id}-label ${id}`}
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
