import { Button } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { Suspense, useState, type ReactNode } from 'react';
import { Icon } from '../ui/icon.js';
import classes from './filter-bar.module.css';

interface AddFilterButtonProps {
  /** Renders the panel, which can be lazy-loaded. */
  children: (close: () => void) => ReactNode;
}

/** Button that opens a panel to add a filter. The `/` key opens it too. */
export function AddFilterButton({ children }: AddFilterButtonProps) {
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
      <Suspense>{isOpen && children(() => setOpen(false))}</Suspense>
    </div>
  );
}
