import { lazy, Suspense } from 'react';

const SavedFiltersBar = lazy(() => import('./saved-filters-bar.js'));

/** Saves the filters of the page that it is on, and applies saved ones. */
export const SavedFilters = () => (
  <Suspense>
    <SavedFiltersBar />
  </Suspense>
);
