import { CloseButton, UnstyledButton } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { useRef, type ReactNode, type Ref } from 'react';
import { TIMELINE_FILTERS } from '../api/timeline-filters.js';
import classes from './filter-chips.module.css';
import {
  listFilterValues,
  isNegative,
  toFilterName,
  negateFilter,
  removeFilter,
  type FilterKey,
  type FilterSet,
} from './filter-set.js';
import { formatFilterValue, formatValues } from './format-filter-value.js';

interface FilterChipsProps {
  filters: FilterSet;
  onChange: (filters: FilterSet) => void;
  /** Content after the chips, hidden if there are none. */
  children?: ReactNode;
  /** Ref to the container, which receives focus when a focused control disappears. */
  groupRef?: Ref<HTMLDivElement>;
}

const getOperatorLabel = (key: FilterKey): string => (isNegative(key) ? 'is not' : 'is');

/** Active filters as chips that can be negated or removed. */
export function FilterChips({ filters, onChange, children, groupRef = null }: FilterChipsProps) {
  const group = useRef<HTMLDivElement>(null);
  const ref = useMergedRef(group, groupRef);
  const change = (to: FilterSet): void => {
    group.current?.focus({ preventScroll: true });
    onChange(to);
  };
  // A filter's values share a chip.
  const groups = [...Map.groupBy(listFilterValues(filters), ({ key }) => key).values()];
  if (groups.length === 0) return <div ref={ref} tabIndex={-1} />;
  return (
    <div className={classes['chips']} role="group" aria-label="Filters" ref={ref} tabIndex={-1}>
      {groups.map((values) => (
        <Chip
          key={values[0]!.key}
          filterKey={values[0]!.key}
          values={values.map(({ value }) => formatFilterValue(value))}
          onSwitch={() => change(values.reduce(negateFilter, filters))}
          onRemove={() => change(values.reduce(removeFilter, filters))}
        />
      ))}
      {children}
    </div>
  );
}

interface ChipProps {
  filterKey: FilterKey;
  values: readonly string[];
  onSwitch: () => void;
  onRemove: () => void;
}

function Chip({ filterKey: key, values, onSwitch, onRemove }: ChipProps) {
  const { label } = TIMELINE_FILTERS[toFilterName(key)];
  const value = formatValues(values);
  const text = `${label} ${getOperatorLabel(key)} ${value}`;
  return (
    <span className={classes['chip']} data-negative={isNegative(key) || undefined}>
      {label}{' '}
      <UnstyledButton
        className={classes['switch']}
        onClick={onSwitch}
        aria-label={`${text}: switch to “${isNegative(key) ? 'is' : 'is not'}”`}
        title={`Switch to “${isNegative(key) ? 'is' : 'is not'}”`}
      >
        {getOperatorLabel(key)}
      </UnstyledButton>{' '}
      <span className={classes['value']} title={values.length > 1 ? values.join(', ') : undefined}>
        {value}
      </span>
      <CloseButton size="sm" onClick={onRemove} aria-label={`Remove: ${text}`} title="Remove" />
    </span>
  );
}
