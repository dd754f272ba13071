import { getRouteApi } from '@tanstack/react-router';
import { PastVisits } from './past-visits.js';
import { Realtime } from './realtime.js';

const route = getRouteApi('/app/projects/$projectId/realtime');

/** Visits as they come, or those of the range in the address. */
export function VisitsPage() {
  const { from } = route.useSearch();
  return from === undefined ? <Realtime /> : <PastVisits />;
}
