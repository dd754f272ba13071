import { Button, CloseButton } from '@mantine/core';
import { lazy, useRef } from 'react';
import { AddFilterButton } from './add-filter-button.js';
import bar from './filter-bar.module.css';
import type { FilterField } from './field-panel.js';
import classes from './filter-chips.module.css';

const FieldPanel = lazy(() => import('./field-panel.js'));

interface FieldFiltersProps<K extends string> {
  /** Accessible name of the filtered list. */
  label: string;
  fields: readonly FilterField<K>[];
  values: Partial<Record<K, string>>;
  onChange: (change: Partial<Record<K, string | undefined>>) => void;
}

/** Row below a page's title with a button that adds a filter, and the active filters as chips. Each field has one value. */
export function FieldFilters<K extends string>({ label, fields, values, onChange }: FieldFiltersProps<K>) {
  const group = useRef<HTMLDivElement>(null);
  const remove = (keys: readonly K[]): void => {
    // Move the focus because the focused button disappears.
    group.current?.focus({ preventScroll: true });
    onChange(Object.fromEntries(keys.map((key) => [key, undefined])) as Partial<Record<K, undefined>>);
  };
  const active = fields.filter(({ key }) => values[key] !== undefined);
  return (
    <div role="search" aria-label={label} className={bar['bar']}>
      <AddFilterButton>
        {(close) => (
          <FieldPanel
            fields={fields}
            onAdd={(key, value) => {
              close();
              onChange({ [key]: value } as Partial<Record<K, string>>);
            }}
            onClose={close}
          />
        )}
      </AddFilterButton>
      <div ref={group} tabIndex={-1} className={classes['chips']} role="group" aria-label="Filters">
        {active.map(({ key, label: name, options }) => {
          const text = options?.find(({ value }) => value === values[key])?.label ?? values[key];
          return (
            <span key={key} className={classes['chip']}>
              {name} is <span className={classes['value']}>{text}</span>
              <CloseButton
                size="sm"
                onClick={() => remove([key])}
                aria-label={`Remove: ${name} is ${text}`}
                title="Remove"
              />
            </span>
          );
        })}
      </div>
      {active.length > 0 && (
        <Button size="compact-sm" variant="subtle" onClick={() => remove(active.map(({ key }) => key))}>
          Clear filters
        </Button>
      )}
    </div>
  );
}
