import { lazy, Suspense, type ComponentProps } from 'react';

const ConfirmDialog = lazy(() => import('./confirm-dialog.js'));

/** Asks before what can't be taken back. */
export const Confirm = (props: ComponentProps<typeof ConfirmDialog>) => (
  <Suspense>
    <ConfirmDialog {...props} />
  </Suspense>
);
