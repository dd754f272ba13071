import { linkOptions, useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import {
  filterSearch,
  oppositeOf,
  readFilterSet,
  toggled,
  type FilterName,
  type FilterSet,
} from '../../filters/filter-set.js';
import type { OverviewSearch } from './search.js';

/** Returns the filters in the page's URL, and functions to change them. */
export function useOverviewFilters(projectId: string, search: OverviewSearch) {
  const navigate = useNavigate();
  const chips = useRef<HTMLDivElement>(null);
  const set = readFilterSet(search);
  const linkTo = (filters: FilterSet) =>
    linkOptions({
      to: '/projects/$projectId/overview',
      params: { projectId },
      search: { ...search, ...filterSearch(filters) },
      resetScroll: false,
    });
  const change = (filters: FilterSet): void => {
    // The focused element may be removed.
    chips.current?.focus({ preventScroll: true });
    void navigate(linkTo(filters));
  };
  return {
    set,
    change,
    chips,
    /** Returns the properties of a row that toggles a filter or excludes a value. */
    row: (key: FilterName, value: string) => ({
      link: linkTo(toggled(set, { key, value })),
      isFilter: set[key]?.includes(value) ?? false,
      onExclude: () => change(toggled(set, { key: oppositeOf(key), value })),
    }),
    filter: (key: FilterName, value: string, isExcluded: boolean): void =>
      change(toggled(set, { key: isExcluded ? oppositeOf(key) : key, value })),
  };
}

export type OverviewFilters = ReturnType<typeof useOverviewFilters>;
