import { CloseButton, UnstyledButton } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { useRef, type ReactNode, type Ref } from 'react';
import { TIMELINE_FILTERS } from '../api/timeline-filters.js';
import classes from './filter-chips.module.css';
import {
  filterValues,
  isNegative,
  nameOf,
  switched,
  without,
  type FilterKey,
  type FilterSet,
  type FilterValue,
} from './filter-set.js';
import { valueText } from './value-text.js';

interface FilterChipsProps {
  filters: FilterSet;
  onChange: (filters: FilterSet) => void;
  /** Content after the chips. Not shown if there are none. */
  children?: ReactNode;
  /** Ref to the container, which takes the focus when a focused control disappears. */
  groupRef?: Ref<HTMLDivElement>;
}

const wordOf = (key: FilterKey): string => (isNegative(key) ? 'is not' : 'is');

/** Active filters as chips, which can be negated and removed. */
export function FilterChips({ filters, onChange, children, groupRef = null }: FilterChipsProps) {
  const group = useRef<HTMLDivElement>(null);
  const ref = useMergedRef(group, groupRef);
  const change = (to: FilterSet): void => {
    group.current?.focus({ preventScroll: true });
    onChange(to);
  };
  const values = filterValues(filters);
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
            onSwitch={() => change(switched(filters, filter))}
            onRemove={() => change(without(filters, filter))}
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
  const { label } = TIMELINE_FILTERS[nameOf(key)];
  const text = `${label} ${wordOf(key)} ${valueText(value)}`;
  return (
    <span className={classes['chip']} data-negative={isNegative(key) || undefined}>
      {label}{' '}
      <UnstyledButton
        className={classes['switch']}
        onClick={onSwitch}
        aria-label={`${text}: switch to “${isNegative(key) ? 'is' : 'is not'}”`}
        title={`Switch to “${isNegative(key) ? 'is' : 'is not'}”`}
      >
        {wordOf(key)}
      </UnstyledButton>{' '}
      <span className={classes['value']}>{valueText(value)}</span>
      <CloseButton size="sm" onClick={onRemove} aria-label={`Remove: ${text}`} title="Remove" />
    </span>
  );
}
