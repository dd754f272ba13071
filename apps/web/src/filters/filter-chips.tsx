import { CloseButton, UnstyledButton } from '@mantine/core';
import { useDisclosure, useMergedRef } from '@mantine/hooks';
import { lazy, Suspense, useRef, type Ref } from 'react';
import { TIMELINE_FILTERS } from '../api/timeline-filters.js';
import { Icon } from '../ui/icon.js';
import classes from './filter-chips.module.css';
import {
  listFilterValues,
  isNegative,
  toFilterName,
  negateFilter,
  removeFilter,
  type FilterSet,
  type FilterValue,
} from './filter-set.js';
import { formatFilterValue, formatValues } from './format-filter-value.js';

const FilterValues = lazy(() => import('./filter-values.js'));

interface FilterChipsProps {
  filters: FilterSet;
  onChange: (filters: FilterSet) => void;
  /** Ref to the container, which receives focus when a focused control disappears. */
  groupRef?: Ref<HTMLDivElement>;
}

/** Active filters as chips that can be negated or removed. */
export function FilterChips({ filters, onChange, groupRef = null }: FilterChipsProps) {
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
          values={values}
          onSwitch={() => change(values.reduce(negateFilter, filters))}
          onRemove={(removed) => change(removed.reduce(removeFilter, filters))}
        />
      ))}
    </div>
  );
}

interface ChipProps {
  /** Values of one filter. */
  values: readonly FilterValue[];
  onSwitch: () => void;
  onRemove: (values: readonly FilterValue[]) => void;
}

function Chip({ values, onSwitch, onRemove }: ChipProps) {
  const { key } = values[0]!;
  const { label } = TIMELINE_FILTERS[toFilterName(key)];
  const operator = isNegative(key) ? 'is not' : 'is';
  const opposite = isNegative(key) ? 'is' : 'is not';
  const texts = values.map(({ value }) => formatFilterValue(value));
  const text = `${label} ${operator} ${formatValues(texts)}`;
  const [isOpen, { toggle, close }] = useDisclosure();
  return (
    <span className={classes['chip']} data-negative={isNegative(key) || undefined}>
      {label}{' '}
      <UnstyledButton
        className={classes['switch']}
        onClick={onSwitch}
        aria-label={`${text}: switch to “${opposite}”`}
        title={`Switch to “${opposite}”`}
      >
        {operator}
      </UnstyledButton>{' '}
      {values.length === 1 ? (
        <span className={classes['value']}>{texts}</span>
      ) : (
        <span className={classes['values']}>
          <UnstyledButton
            className={classes['value']}
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            title={`${texts.join(', ')} (click to remove one)`}
            onClick={toggle}
          >
            {formatValues(texts)}
            <Icon name="chevron" size={14} />
          </UnstyledButton>
          <Suspense>
            {isOpen && (
              <FilterValues
                label={`${label} ${operator}`}
                values={texts}
                onRemove={(index) => {
                  close();
                  onRemove([values[index]!]);
                }}
                onClose={close}
              />
            )}
          </Suspense>
        </span>
      )}
      <CloseButton size="sm" onClick={() => onRemove(values)} aria-label={`Remove: ${text}`} title="Remove" />
    </span>
  );
}
