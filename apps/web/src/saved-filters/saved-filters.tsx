import { lazy, Suspense } from 'react';

const SavedFiltersBar = lazy(() => import('./saved-filters-bar.js'));

export const SavedFilters = () => (
  <Suspense>
    <SavedFiltersBar />
  </Suspense>
);
