import { lazy, Suspense, type ComponentProps } from 'react';

const ConfirmDialog = lazy(() => import('./confirm-dialog.js'));

/** Confirmation dialog for actions that can't be undone. */
export const Confirm = (props: ComponentProps<typeof ConfirmDialog>) => (
  <Suspense>
    <ConfirmDialog {...props} />
  </Suspense>
);
