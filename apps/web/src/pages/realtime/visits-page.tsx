import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { Realtime } from './realtime.js';

const PastVisits = lazy(() => import('./past-visits.js'));

const route = getRouteApi('/app/projects/$projectId/realtime');

/** Visits as they come, or those of the range in the address. */
export function VisitsPage() {
  const { from } = route.useSearch();
  if (from === undefined) return <Realtime />;
  return (
    <Suspense>
      <PastVisits />
    </Suspense>
  );
}
