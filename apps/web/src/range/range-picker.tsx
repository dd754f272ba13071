import { Button, Group, SegmentedControl, Text, UnstyledButton } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { formatted } from '../format/time.js';
import { ownTimeZone } from '../ui/time-zone-select.js';
import { PRESET_TEXTS, PRESETS, presetOf, type Preset, type RangeSearch } from './range.js';
import classes from './range.module.css';
import type { ShownRange } from './use-range.js';

const CustomRange = lazy(() => import('./custom-range.js'));

export interface RangePickerProps {
  search: RangeSearch;
  shown: ShownRange;
  onChange: (change: Partial<RangeSearch>) => void;
}

/** Chooses the time that a page is about; says it in full, with its zone. */
export function RangePicker({ search, shown, onChange }: RangePickerProps) {
  const [isOpen, setOpen] = useState(false);
  const { from, to, timeZone, projectZone } = shown;
  const text = (time: string): string => formatted(time, timeZone, { dateStyle: 'medium', timeStyle: 'short' });
  const isOwn = search.zone === 'browser';
  return (
    <div className={classes['picker']}>
      <Group gap="xs" wrap="nowrap">
        <SegmentedControl
          size="xs"
          aria-label="Range of time"
          // None of them for a custom one.
          value={presetOf(search) ?? ''}
          onChange={(value) => onChange({ range: value as Preset, from: undefined, to: undefined })}
          data={PRESETS.map((value) => ({ value: value as string, label: PRESET_TEXTS[value].label }))}
        />
        <Button
          size="xs"
          variant={search.from === undefined ? 'default' : 'light'}
          onClick={() => setOpen(true)}
          aria-haspopup="dialog"
        >
          Custom
          {search.from !== undefined && <span className="unseen"> (chosen)</span>}
        </Button>
      </Group>
      <Text size="xs" c="dimmed" className="numbers">
        <time dateTime={from} title={from}>
          {text(from)}
        </time>{' '}
        –{' '}
        <time dateTime={to} title={to}>
          {text(to)}
        </time>
        , {timeZone}
        {ownTimeZone() !== projectZone && (
          <>
            {' · '}
            <UnstyledButton
              fz="xs"
              c="var(--mantine-color-anchor)"
              onClick={() => onChange({ zone: isOwn ? undefined : 'browser' })}
            >
              {isOwn ? `show in ${projectZone}` : `show in ${ownTimeZone()}`}
            </UnstyledButton>
          </>
        )}
      </Text>
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
    </div>
  );
}
