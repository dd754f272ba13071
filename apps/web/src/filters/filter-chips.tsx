import { CloseButton, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
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
}

/** Active filters as chips that can be negated or removed. A filter's values share a chip. */
export default function FilterChips({ filters, onChange }: FilterChipsProps) {
  const groups = [...Map.groupBy(listFilterValues(filters), ({ key }) => key).values()];
  return groups.map((values) => (
    <Chip
      key={values[0]!.key}
      values={values}
      onSwitch={() => onChange(values.reduce(negateFilter, filters))}
      onRemove={(removed) => onChange(removed.reduce(removeFilter, filters))}
    />
  ));
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
