import { Button, Text } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { lazy, Suspense, useRef, type ReactNode, type Ref } from 'react';
import type { Visit } from '../api/client.js';
import { TIMELINE_FILTERS } from '../api/timeline-filters.js';
import { SavedFilters } from '../saved-filters/saved-filters.js';
import { AddFilter } from './add-filter.js';
import { isFiltered, toggleFilter, type FilterSet } from './filter-set.js';
import classes from './filter-bar.module.css';
import chipClasses from './filter-chips.module.css';
import { FILTER_NAMES, type FilterName } from './visit-filters.js';

const FilterChips = lazy(() => import('./filter-chips.js'));

interface FilterBarProps {
  filters: FilterSet;
  onChange: (filters: FilterSet) => void;
  /** Filters to offer. Default: all. */
  names?: readonly FilterName[];
  /** Visits on the page, used to suggest values. */
  visits?: readonly Visit[];
  /** Validation errors from the server. */
  faults?: Partial<Record<FilterName, string>>;
  /** Ref to the chips, which receive the focus when a focused control disappears. */
  chipsRef?: Ref<HTMLDivElement>;
  /** Other controls of the same row. */
  children?: ReactNode;
}

/** Row below a page's title with a button that adds a filter, and the active filters as chips. */
export function FilterBar(props: FilterBarProps) {
  const { filters, onChange, names = FILTER_NAMES, visits = [], faults = {}, chipsRef = null, children } = props;
  const chips = useRef<HTMLDivElement>(null);
  const groupRef = useMergedRef(chips, chipsRef);
  const hasFilters = isFiltered(filters);
  const change = (to: FilterSet): void => {
    chips.current?.focus({ preventScroll: true });
    onChange(to);
  };
  const faulty = FILTER_NAMES.filter((name) => faults[name] !== undefined);
  return (
    <>
      <div role="search" aria-label="Visits" className={classes['bar']}>
        <AddFilter names={names} visits={visits} onAdd={(filter) => onChange(toggleFilter(filters, filter))} />
        <div
          ref={groupRef}
          tabIndex={-1}
          {...(hasFilters && { className: chipClasses['chips'], role: 'group', 'aria-label': 'Filters' })}
        >
          <Suspense>{hasFilters && <FilterChips filters={filters} onChange={change} />}</Suspense>
        </div>
        {hasFilters && (
          <Button size="compact-sm" variant="subtle" onClick={() => change({})}>
            Clear filters
          </Button>
        )}
        {children}
        <SavedFilters />
      </div>
      {faulty.map((name) => (
        <Text key={name} role="status" size="sm" c="var(--failed)">
          {TIMELINE_FILTERS[name].label}: {faults[name]}
        </Text>
      ))}
    </>
  );
}
