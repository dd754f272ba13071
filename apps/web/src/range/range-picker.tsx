import { ActionIcon, Box, Button, Group, UnstyledButton } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { formatTime } from '../format/time.js';
import { useClock } from '../ui/use-clock.js';
import { Icon } from '../ui/icon.js';
import { Segments } from '../ui/segments.js';
import { SmallSelect } from '../ui/small-select.js';
import { getBrowserTimeZone } from '../ui/time-zones.js';
import { ComparisonPicker } from './comparison-picker.js';
import { getNeighborRange, PRESET_TEXTS, PRESETS, getPreset, type Preset, type RangeSearch } from './range.js';
import classes from './range.module.css';
import type { ShownRange } from './use-range.js';

const CustomRange = lazy(() => import('./custom-range.js'));

const OPTIONS = PRESETS.map((value) => ({ value, label: PRESET_TEXTS[value].label }));

interface RangePickerProps {
  search: RangeSearch;
  shown: ShownRange;
  onChange: (change: Partial<RangeSearch>) => void;
  /** Lets the user select a comparison range. */
  isCompared?: boolean;
}

/** Time range picker. */
export function RangePicker({ search, shown, onChange, isCompared = false }: RangePickerProps) {
  const [isOpen, setOpen] = useState(false);
  const isCustom = search.from !== undefined;
  // A custom range matches no preset.
  const preset: string = getPreset(search) ?? '';
  const choose = (value: string): void => onChange({ range: value as Preset, from: undefined, to: undefined });
  return (
    <div className={classes['picker']}>
      {isCompared && <ComparisonPicker search={search} shown={shown} onChange={onChange} />}
      <Group gap={4} wrap="nowrap">
        <NeighborButton direction={-1} search={search} shown={shown} onChange={onChange} />
        <Box visibleFrom="md">
          <Segments label="Time range" value={preset} onChange={choose} options={OPTIONS} />
        </Box>
        <Box hiddenFrom="md">
          <SmallSelect
            aria-label="Time range"
            value={preset}
            onChange={choose}
            options={isCustom ? [{ value: '', label: 'Custom' }, ...OPTIONS] : OPTIONS}
          />
        </Box>
        <Box pos="relative">
          <Button
            size="xs"
            variant={isCustom ? 'light' : 'default'}
            onClick={() => setOpen(!isOpen)}
            aria-expanded={isOpen}
            aria-haspopup="dialog"
            className={classes['custom'] ?? ''}
          >
            Custom
            {isCustom && <span className="unseen"> (chosen)</span>}
          </Button>
          <Suspense>
            {isOpen && (
              <CustomRange
                shown={shown}
                onClose={() => setOpen(false)}
                onChoose={(range) => {
                  setOpen(false);
                  onChange({ ...range, range: undefined });
                }}
              />
            )}
          </Suspense>
        </Box>
        <NeighborButton direction={1} search={search} shown={shown} onChange={onChange} />
      </Group>
    </div>
  );
}

interface RangeTimesProps extends Omit<RangePickerProps, 'isCompared'> {
  /** Start of the part of the range that could be analyzed, if it isn't the entire range. */
  coveredFrom?: string | undefined;
}

/** Start, end and time zone of the range. */
export function RangeTimes({ search, shown, coveredFrom, onChange }: RangeTimesProps) {
  const { to, timeZone, projectZone } = shown;
  const from = coveredFrom ?? shown.from;
  const usesBrowserZone = search.zone === 'browser';
  // Ranges that end now or today include the rest of the quarter hour or day.
  const end = new Date(Math.min(Date.parse(to), useClock())).toISOString();
  const formatMinute = (time: string): string =>
    formatTime(time, timeZone, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <span className="numbers">
      <time dateTime={from} title={from}>
        {formatMinute(from)}
      </time>{' '}
      –{' '}
      <time dateTime={end} title={end}>
        {formatMinute(end)}
      </time>
      , {timeZone}
      {getBrowserTimeZone() !== projectZone && (
        <>
          {' · '}
          <UnstyledButton
            fz="xs"
            c="var(--mantine-color-anchor)"
            onClick={() => onChange({ zone: usesBrowserZone ? undefined : 'browser' })}
          >
            {usesBrowserZone ? `show in ${projectZone}` : `show in ${getBrowserTimeZone()}`}
          </UnstyledButton>
        </>
      )}
    </span>
  );
}

interface NeighborButtonProps extends RangePickerProps {
  direction: -1 | 1;
}

function NeighborButton({ direction, search, shown, onChange }: NeighborButtonProps) {
  const range = getNeighborRange(search, direction, { shown, now: useClock(), timeZone: shown.projectZone });
  const label = direction === -1 ? 'Previous period' : 'Next period';
  return (
    <ActionIcon
      variant="default"
      size={30}
      aria-label={label}
      title={label}
      // Don't use `disabled`, because the button would lose the focus when the user reaches the last range.
      data-disabled={range === null || undefined}
      aria-disabled={range === null}
      onClick={() => range !== null && onChange({ ...range, range: undefined })}
    >
      <Icon name={direction === -1 ? 'previous' : 'next'} size={14} />
    </ActionIcon>
  );
}
