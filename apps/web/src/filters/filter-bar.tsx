import { Button, Text } from '@mantine/core';
import { useRef } from 'react';
import type { Visit } from '../api/client.js';
import { TIMELINE_FILTERS } from '../api/timeline-filters.js';
import { SavedFilters } from '../saved-filters/saved-filters.js';
import { AddFilter } from './add-filter.js';
import { FilterChips } from './filter-chips.js';
import { isFiltered, toggleFilter, type FilterSet } from './filter-set.js';
import classes from './filter-bar.module.css';
import { FILTER_NAMES, toFilters, toTimelineQuery, type FilterName, type Filters } from './visit-filters.js';

interface FilterBarProps {
  filters: Filters;
  onChange: (change: Partial<Filters>) => void;
  /** Visits on the page, used to suggest values. */
  visits: readonly Visit[];
  /** Validation errors from the server. */
  faults?: Partial<Record<FilterName, string>>;
  hasAddress?: boolean;
}

/** Filters of a list of visits as chips, and a button that adds one. */
export function FilterBar({ filters, onChange, visits, faults = {}, hasAddress = false }: FilterBarProps) {
  const chips = useRef<HTMLDivElement>(null);
  const set = toTimelineQuery(filters) as FilterSet;
  const change = (to: FilterSet): void => onChange({ ...NO_FILTERS, ...toFilters(to) });
  const names = FILTER_NAMES.filter((name) => name !== 'address' || hasAddress);
  return (
    <div role="search" aria-label="Visits" className={classes['bar']}>
      <FilterChips filters={set} onChange={change} groupRef={chips} />
      <AddFilter names={names} visits={visits} onAdd={(filter) => change(toggleFilter(set, filter))} />
      {isFiltered(set) && (
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => {
            chips.current?.focus({ preventScroll: true });
            change({});
          }}
        >
          Clear filters
        </Button>
      )}
      <SavedFilters />
      {FILTER_NAMES.filter((name) => faults[name] !== undefined).map((name) => (
        <Text key={name} role="status" size="sm" c="var(--failed)" w="100%">
          {TIMELINE_FILTERS[name].label}: {faults[name]}
        </Text>
      ))}
    </div>
  );
}

export const NO_FILTERS: Partial<Filters> = Object.fromEntries(
  [...FILTER_NAMES, 'chips'].map((name) => [name, undefined]),
);
