import { lazy, Suspense, useEffect, useState } from 'react';
import { setConfirmationPrompt } from '../api/client.js';

const ConfirmIdentity = lazy(() => import('./confirm-identity.js'));

/** Shows the identity dialog when a request requires it. Concurrent requests share one dialog. */
export function IdentityConfirmation() {
  const [settle, setSettle] = useState<((isConfirmed: boolean) => void) | null>(null);
  useEffect(() => {
    let pending: Promise<boolean> | null = null;
    setConfirmationPrompt(() => {
      pending ??= new Promise((resolve) => {
        setSettle(() => (isConfirmed: boolean) => {
          pending = null;
          setSettle(null);
          resolve(isConfirmed);
        });
      });
      return pending;
    });
    return () => setConfirmationPrompt(null);
  }, []);
  return <Suspense>{settle !== null && <ConfirmIdentity onDone={settle} />}</Suspense>;
}
