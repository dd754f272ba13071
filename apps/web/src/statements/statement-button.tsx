import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { StatementDialogProps } from './statement-dialog.js';

const StatementDialog = lazy(() => import('./statement-dialog.js'));

/** Opens a dialog that downloads a signed statement of an operator's fetches. */
export function StatementButton(props: Omit<StatementDialogProps, 'onClose'>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setOpen(true)}>
        Statement…
      </Button>
      <Suspense>{isOpen && <StatementDialog {...props} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
