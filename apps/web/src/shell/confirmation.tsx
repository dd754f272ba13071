import { lazy, Suspense, useEffect, useState } from 'react';
import { setAskToConfirm } from '../api/client.js';

const ConfirmIdentity = lazy(() => import('./confirm-identity.js'));

/** Asks somebody to show who they are, when a request takes it: once, however many requests do. */
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
