import { lazy, Suspense, useSyncExternalStore } from 'react';
import { getNotices, subscribeToNotices } from './notices.js';

const NoticeList = lazy(() => import('./notice-list.js'));

/** Live region for notices. It must be on the page before its first notice, so that screen readers announce it. */
export function NoticeRegion() {
  const notices = useSyncExternalStore(subscribeToNotices, getNotices);
  return (
    <div role="status" aria-label="Notices">
      <Suspense>{notices.length > 0 && <NoticeList notices={notices} />}</Suspense>
    </div>
  );
}
