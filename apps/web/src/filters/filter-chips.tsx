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
  type FilterValue,
} from './filter-set.js';
import { formatFilterValue } from './format-filter-value.js';

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
  const values = listFilterValues(filters);
  if (values.length === 0) return <div ref={ref} tabIndex={-1} />;
  return (
    <div className={classes['chips']} role="group" aria-label="Filters" ref={ref} tabIndex={-1}>
      {values.map((filter, index) => (
        <span key={`${filter.key} ${filter.value}`} className={classes['joined']}>
          {index > 0 && values[index - 1]!.key === filter.key && (
            <span className={classes['between']}>{isNegative(filter.key) ? 'and' : 'or'}</span>
          )}
          <Chip
            filter={filter}
            onSwitch={() => change(negateFilter(filters, filter))}
            onRemove={() => change(removeFilter(filters, filter))}
          />
        </span>
      ))}
      {children}
    </div>
  );
}

interface ChipProps {
  filter: FilterValue;
  onSwitch: () => void;
  onRemove: () => void;
}

function Chip({ filter: { key, value }, onSwitch, onRemove }: ChipProps) {
  const { label } = TIMELINE_FILTERS[toFilterName(key)];
  const text = `${label} ${getOperatorLabel(key)} ${formatFilterValue(value)}`;
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
      <span className={classes['value']}>{formatFilterValue(value)}</span>
      <CloseButton size="sm" onClick={onRemove} aria-label={`Remove: ${text}`} title="Remove" />
    </span>
  );
}
