import { linkOptions, useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import {
  toFilterSearch,
  toOppositeKey,
  parseFilterSet,
  toggleFilter,
  type FilterName,
  type FilterSearch,
  type FilterSet,
} from './filter-set.js';

type FilteredPage = '/projects/$projectId/overview' | '/projects/$projectId/load';

/** Returns the filters from the page's URL and functions to change them. */
export function usePageFilters(to: FilteredPage, projectId: string, search: FilterSearch) {
  const navigate = useNavigate();
  const chips = useRef<HTMLDivElement>(null);
  const set = parseFilterSet(search);
  const linkTo = (filters: FilterSet) =>
    linkOptions({
      to,
      params: { projectId },
      search: { ...search, ...toFilterSearch(filters) },
      resetScroll: false,
    });
  const change = (filters: FilterSet): void => {
    // Move the focus because changing filters may remove the focused element.
    chips.current?.focus({ preventScroll: true });
    void navigate(linkTo(filters));
  };
  return {
    set,
    change,
    chips,
    /** Returns props for a row that toggles a filter or excludes a value. */
    row: (key: FilterName, value: string) => ({
      link: linkTo(toggleFilter(set, { key, value })),
      isFilter: set[key]?.includes(value) ?? false,
      onExclude: () => change(toggleFilter(set, { key: toOppositeKey(key), value })),
    }),
    filter: (key: FilterName, value: string, isExcluded: boolean): void =>
      change(toggleFilter(set, { key: isExcluded ? toOppositeKey(key) : key, value })),
  };
}

export type PageFilters = ReturnType<typeof usePageFilters>;
