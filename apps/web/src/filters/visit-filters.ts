import { TIMELINE_FILTERS } from '../api/timeline-filters.js';
import { faultSentence } from '../api/form-errors.js';
import {
  hasForm,
  isFiltered as isSet,
  isNegative,
  readFilterSet,
  type FilterKey,
  type FilterName,
  type FilterSet,
} from './filter-set.js';

export type { FilterName };

/** Filters and the open visit, as stored in the URL. */
export interface Filters extends Partial<Record<FilterName, string>> {
  /** Filters that don't fit into a field: several values, and exclusions. */
  chips?: FilterSet;
  /** ID of the visit in the drawer. */
  visit?: string;
}

export const FILTER_NAMES = Object.keys(TIMELINE_FILTERS) as FilterName[];

/** Parses URL search parameters. Invalid ones are ignored. */
export function readFilters(search: Record<string, unknown>): Filters {
  const { visit } = search;
  const { chips: several, ...fields } = filtersOf(readFilterSet(search));
  const chips = { ...several, ...readFilterSet(Object(search['chips'])) };
  return {
    ...fields,
    ...(isSet(chips) && { chips }),
    ...((typeof visit === 'string' || typeof visit === 'number') && visit !== '' && { visit: String(visit) }),
  };
}

/** Splits filters into fields with one value and chips. */
export const filtersOf = (set: FilterSet): Filters => {
  // The page and the path share a field.
  const chips = { ...chipsOf(set), ...(set.page && set.path && { path: set.path }) };
  const single = Object.entries(set).filter(([name]) => !(name in chips));
  return { ...Object.fromEntries(single.map(([name, values]) => [name, values[0]])), ...(isSet(chips) && { chips }) };
};

const chipsOf = (set: FilterSet): FilterSet =>
  Object.fromEntries(
    Object.entries(set).filter(([name, values]) => isNegative(name as FilterKey) || values.length > 1),
  );

/** Returns the error in a filter as typed, or null if it is valid or empty. */
export function filterFault(name: FilterName, text: string): string | null {
  const { form } = TIMELINE_FILTERS[name];
  return form === null || text === '' || hasForm(name, text) ? null : faultSentence(form.fault);
}

/** Returns query parameters for `GET /api/projects/{id}/visits`. */
export function timelineQuery(filters: Filters): { [K in FilterKey]?: never[] } {
  const { chips = {} } = filters;
  const given = FILTER_NAMES.filter((name) => filters[name] !== undefined);
  const fields = Object.fromEntries(given.map((name) => [name, [...(chips[name] ?? []), filters[name]]]));
  return { ...(chips as object), ...fields };
}

export const isFiltered = (filters: Filters): boolean => Object.keys(timelineQuery(filters)).length > 0;
