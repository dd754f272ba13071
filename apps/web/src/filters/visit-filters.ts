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

/** Which visits a page shows, and which of them is open, as its address says. */
export interface Filters extends Partial<Record<FilterName, string>> {
  /** Filters that no field has: several values of one, and what is not meant. */
  chips?: FilterSet;
  /** The visit whose drawer is open. */
  visit?: string;
}

export const FILTER_NAMES = Object.keys(TIMELINE_FILTERS) as FilterName[];

/** Reads an address; what does not fit is left out. */
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

/** Filters as this page has them: one value in its field, the others as chips. */
export const filtersOf = (set: FilterSet): Filters => {
  // One field has the page or the path.
  const chips = { ...chipsOf(set), ...(set.page && set.path && { path: set.path }) };
  const single = Object.entries(set).filter(([name]) => !(name in chips));
  return { ...Object.fromEntries(single.map(([name, values]) => [name, values[0]])), ...(isSet(chips) && { chips }) };
};

const chipsOf = (set: FilterSet): FilterSet =>
  Object.fromEntries(
    Object.entries(set).filter(([name, values]) => isNegative(name as FilterKey) || values.length > 1),
  );

/** Returns what is wrong with a filter as typed, in a sentence; null for what can be asked for. */
export function filterFault(name: FilterName, text: string): string | null {
  const { form } = TIMELINE_FILTERS[name];
  return form === null || text === '' || hasForm(name, text) ? null : faultSentence(form.fault);
}

/** As parameters of `GET /api/projects/{id}/visits`. */
export function timelineQuery(filters: Filters): { [K in FilterKey]?: never[] } {
  const { chips = {} } = filters;
  const given = FILTER_NAMES.filter((name) => filters[name] !== undefined);
  const fields = Object.fromEntries(given.map((name) => [name, [...(chips[name] ?? []), filters[name]]]));
  return { ...(chips as object), ...fields };
}

export const isFiltered = (filters: Filters): boolean => Object.keys(timelineQuery(filters)).length > 0;
