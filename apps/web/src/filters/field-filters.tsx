import { Button, CloseButton } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense, useRef, useState } from 'react';
import { Icon } from '../ui/icon.js';
import bar from './filter-bar.module.css';
import type { FilterField } from './field-panel.js';
import classes from './filter-chips.module.css';

const FieldPanel = lazy(() => import('./field-panel.js'));

interface FieldFiltersProps<K extends string> {
  /** Accessible name of what is filtered. */
  label: string;
  fields: readonly FilterField<K>[];
  values: Partial<Record<K, string>>;
  onChange: (change: Partial<Record<K, string | undefined>>) => void;
}

/** Filters with one value per field as chips, and a button that adds one. The `/` key opens its panel. */
export function FieldFilters<K extends string>({ label, fields, values, onChange }: FieldFiltersProps<K>) {
  const group = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const open = (): void => setOpen(true);
  useHotkeys([
    ['/', open],
    ['shift+/', open],
  ]);
  const remove = (keys: readonly K[]): void => {
    // Move the focus because the focused button disappears.
    group.current?.focus({ preventScroll: true });
    onChange(Object.fromEntries(keys.map((key) => [key, undefined])) as Partial<Record<K, undefined>>);
  };
  const active = fields.filter(({ key }) => values[key] !== undefined);
  return (
    <div role="search" aria-label={label} className={bar['bar']}>
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
      <div className={bar['anchor']}>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Icon name="plus" size={14} />}
          aria-label="Add filter"
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          aria-keyshortcuts="/"
          title="Add filter (/)"
          onClick={() => setOpen(!isOpen)}
        >
          Filter
        </Button>
        <Suspense>
          {isOpen && (
            <FieldPanel
              fields={fields}
              onAdd={(key, value) => {
                setOpen(false);
                onChange({ [key]: value } as Partial<Record<K, string>>);
              }}
              onClose={() => setOpen(false)}
            />
          )}
        </Suspense>
      </div>
      {active.length > 0 && (
        <Button size="compact-sm" variant="subtle" onClick={() => remove(active.map(({ key }) => key))}>
          Clear filters
        </Button>
      )}
    </div>
  );
}
