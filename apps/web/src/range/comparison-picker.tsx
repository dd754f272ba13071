import { Box } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { SmallSelect } from '../ui/small-select.js';
import { getComparison, formatStart } from './comparison.js';
import { getPreset, type RangeSearch } from './range.js';
import type { ShownRange } from './use-range.js';

const CustomComparison = lazy(() => import('./custom-comparison.js'));
const CUSTOM = 'custom';

const OPTIONS = [
  { value: 'previous', label: 'vs. previous period' },
  { value: 'year', label: 'vs. same period last year' },
  { value: 'none', label: 'No comparison' },
];

interface ComparisonPickerProps {
  search: RangeSearch;
  shown: ShownRange;
  onChange: (change: Partial<RangeSearch>) => void;
}

export function ComparisonPicker({ search, shown, onChange }: ComparisonPickerProps) {
  const [isOpen, setOpen] = useState(false);
  const comparison = getComparison(search);
  const from = typeof comparison === 'object' ? comparison.from : null;
  // The preset "all" covers everything, so there is no previous period to compare it with.
  const options = getPreset(search) === 'all' ? OPTIONS.slice(1) : OPTIONS;
  const chosen = from === null ? [] : [{ value: from, label: `vs. from ${formatStart(from, shown.timeZone)}` }];
  const choose = (value: string): void => {
    if (value === CUSTOM) setOpen(true);
    else onChange({ compare: value === 'previous' ? undefined : value });
  };
  return (
    <Box pos="relative">
      <SmallSelect
        aria-label="Compare with"
        value={typeof comparison === 'object' ? comparison.from : comparison}
        onChange={choose}
        options={[...options, ...chosen, { value: CUSTOM, label: 'Custom start…' }]}
      />
      <Suspense>
        {isOpen && (
          <CustomComparison
            shown={shown}
            from={from ?? shown.from}
            onClose={() => setOpen(false)}
            onChoose={(compare) => {
              setOpen(false);
              onChange({ compare });
            }}
          />
        )}
      </Suspense>
    </Box>
  );
}
