import { lazy, Suspense, type ReactNode } from 'react';

const ConfirmDialog = lazy(() => import('./confirm-dialog.js'));

export interface ConfirmProps {
  title: string;
  /** What it means. */
  children: ReactNode;
  /** On the button: the deed. */
  label: string;
  action: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks before what can't be taken back. */
export const Confirm = (props: ConfirmProps) => (
  <Suspense>
    <ConfirmDialog {...props} />
  </Suspense>
);
