import { Button, Group, Input, Stack, Text } from '@mantine/core';
import { TimePicker } from '@mantine/dates';
import { useState } from 'react';
import { MAX_RANGE_DAYS } from '../api/constants.js';
import { formatDayRange } from '../format/time.js';
import { Dropdown } from '../ui/dropdown.js';
import { SmallSwitch } from '../ui/small-switch.js';
import { useClock } from '../ui/use-clock.js';
import { DayRangePicker, type DayRange } from './day-range-picker.js';
import { fromDays, toDays, type DaySpan } from './day-span.js';
import { formatStart } from './comparison.js';
import type { Range } from './range.js';
import type { ShownRange } from './use-range.js';
import { toDay } from './zoned-day.js';

export interface CustomRangeProps {
  shown: Pick<ShownRange, 'from' | 'to' | 'timeZone'>;
  onChoose: (range: Range) => void;
  onClose: () => void;
}

/** Panel for selecting a range of days, or of times. Opens below its sibling button. */
export default function CustomRange({ shown, onChoose, onClose }: CustomRangeProps) {
  const { timeZone } = shown;
  const now = useClock();
  const [span, setSpan] = useState<Omit<DaySpan, 'first' | 'last'> & { days: DayRange }>(() => {
    const { first, last, ...times } = toDays(shown, timeZone, now);
    return { ...times, days: [first, last] };
  });
  const [first, last] = span.days;
  const range = first === null || last === null ? null : fromDays({ ...span, first, last }, timeZone);
  const describe = ({ from, to }: Range): string =>
    span.hasTimes
      ? `${formatStart(from, timeZone)} – ${formatStart(new Date(Math.min(Date.parse(to), now)).toISOString(), timeZone)}`
      : formatDayRange(first!, last!, 'UTC');
  const error = range === null ? null : getError(range);
  const isInvalid = range === null || error !== null;
  return (
    <Dropdown label="Custom range" width="max-content" onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (range !== null && error === null) onChoose(range);
        }}
      >
        <Stack gap="xs">
          <DayRangePicker
            value={span.days}
            onChange={(days) => setSpan({ ...span, days })}
            today={toDay(new Date(now).toISOString(), timeZone)}
          />
          <Group gap="sm" mih={30}>
            <div>
              <SmallSwitch isOn={span.hasTimes} onChange={(hasTimes) => setSpan({ ...span, hasTimes })}>
                Set times
              </SmallSwitch>
            </div>
            {span.hasTimes &&
              (['start', 'end'] as const).map((name) => (
                <Group key={name} gap={6} wrap="nowrap">
                  <Text size="xs" c="dimmed">
                    {name === 'start' ? 'From' : 'To'}
                  </Text>
                  <TimePicker
                    size="xs"
                    value={span[name]}
                    onChange={(value) => setSpan({ ...span, [name]: value })}
                    minutesStep={15}
                    hoursInputLabel={name === 'start' ? 'Start hour' : 'End hour'}
                    minutesInputLabel={name === 'start' ? 'Start minute' : 'End minute'}
                  />
                </Group>
              ))}
          </Group>
          {error !== null && <Input.Error role="alert">{error}</Input.Error>}
          <Group justify="space-between" gap="xs">
            <Text size="xs" c="dimmed" className="numbers">
              {range === null ? 'Select the last day.' : `${describe(range)}, ${timeZone}`}
            </Text>
            <Group gap="xs" ml="auto">
              <Button size="xs" variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button size="xs" type="submit" aria-disabled={isInvalid} data-disabled={isInvalid || undefined}>
                Show range
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Dropdown>
  );
}

function getError({ from, to }: Range): string | null {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
  if (days <= 0) return 'The end must be after the start.';
  return days > MAX_RANGE_DAYS ? 'Select a range of at most 20 years.' : null;
}
