import { lazy, Suspense, useEffect, useState } from 'react';
import { setAskToConfirm } from '../api/client.js';

const ConfirmIdentity = lazy(() => import('./confirm-identity.js'));

/** Shows the identity dialog when a request requires it. Concurrent requests share one dialog. */
export function Confirmation() {
  const [settle, setSettle] = useState<((isConfirmed: boolean) => void) | null>(null);
  useEffect(() => {
    let asking: Promise<boolean> | null = null;
    setAskToConfirm(() => {
      asking ??= new Promise((resolve) => {
        setSettle(() => (isConfirmed: boolean) => {
          asking = null;
          setSettle(null);
          resolve(isConfirmed);
        });
      });
      return asking;
    });
    return () => setAskToConfirm(null);
  }, []);
  return <Suspense>{settle !== null && <ConfirmIdentity onDone={settle} />}</Suspense>;
}
