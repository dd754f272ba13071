import { Button } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense, useState } from 'react';
import type { Visit } from '../api/client.js';
import { Icon } from '../ui/icon.js';
import classes from './filter-bar.module.css';
import type { FilterName, FilterValue } from './filter-set.js';

const AddFilterPanel = lazy(() => import('./add-filter-panel.js'));

interface AddFilterProps {
  /** Filters to offer. The first one is selected when the panel opens. */
  names: readonly FilterName[];
  /** Visits on the page, used to suggest values. */
  visits: readonly Visit[];
  onAdd: (filter: FilterValue) => void;
}

/** Button that opens a panel to add a filter. The `/` key opens it too. */
export function AddFilter({ names, visits, onAdd }: AddFilterProps) {
  const [isOpen, setOpen] = useState(false);
  const open = (): void => setOpen(true);
  // Handle `/` with and without Shift, because this depends on the keyboard layout.
  useHotkeys([
    ['/', open],
    ['shift+/', open],
  ]);
  return (
    <div className={classes['anchor']}>
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
          <AddFilterPanel
            names={names}
            visits={visits}
            onAdd={(filter) => {
              setOpen(false);
              onAdd(filter);
            }}
            onClose={() => setOpen(false)}
          />
        )}
      </Suspense>
    </div>
  );
}
