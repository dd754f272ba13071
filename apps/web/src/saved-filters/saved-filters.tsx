import { lazy, Suspense } from 'react';

const SavedFiltersBar = lazy(() => import('./saved-filters-bar.js'));

/** Saves the current page's filters and applies saved ones. */
export const SavedFilters = () => (
  <Suspense>
    <SavedFiltersBar />
  </Suspense>
);
