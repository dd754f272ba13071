import { TIMELINE_FILTERS } from '../api/timeline-filters.js';
import { toErrorSentence } from '../api/form-errors.js';
import {
  hasValidFormat,
  isFiltered as isSet,
  isNegative,
  parseFilterSet,
  type FilterKey,
  type FilterName,
  type FilterSet,
} from './filter-set.js';

export type { FilterName };

/** Filters and the open visit, as stored in the URL. */
export interface Filters extends Partial<Record<FilterName, string>> {
  /** Exclusions and filters with several values, which don't fit into a field. */
  chips?: FilterSet;
  /** ID of the visit open in the drawer. */
  visit?: string;
}

export const FILTER_NAMES = Object.keys(TIMELINE_FILTERS) as FilterName[];

/** Change that removes all filters. */
const NO_FILTERS: Partial<Filters> = Object.fromEntries([...FILTER_NAMES, 'chips'].map((name) => [name, undefined]));

/** Returns the change to a page's search parameters that replaces all filters. */
export const replaceFilters = (set: FilterSet): Partial<Filters> => ({ ...NO_FILTERS, ...toFilters(set) });

/** Parses URL search parameters, ignoring invalid ones. */
export function parseFilters(search: Record<string, unknown>): Filters {
  const { visit } = search;
  const { chips: parsedChips, ...fields } = toFilters(parseFilterSet(search));
  const chips = { ...parsedChips, ...parseFilterSet(Object(search['chips'])) };
  return {
    ...fields,
    ...(isSet(chips) && { chips }),
    ...((typeof visit === 'string' || typeof visit === 'number') && visit !== '' && { visit: String(visit) }),
  };
}

/** Splits filters into single-value fields and chips. */
export const toFilters = (set: FilterSet): Filters => {
  // The page and the path share a field. If both are set, the field contains the page, and the path becomes a chip.
  const chips = { ...selectChips(set), ...(set.page && set.path && { path: set.path }) };
  const single = Object.entries(set).filter(([name]) => !(name in chips));
  return { ...Object.fromEntries(single.map(([name, values]) => [name, values[0]])), ...(isSet(chips) && { chips }) };
};

const selectChips = (set: FilterSet): FilterSet =>
  Object.fromEntries(
    Object.entries(set).filter(([name, values]) => isNegative(name as FilterKey) || values.length > 1),
  );

/** Returns an error message for the typed text, or null if it's valid or empty. */
export function validateFilter(name: FilterName, text: string): string | null {
  const { form } = TIMELINE_FILTERS[name];
  return form === null || text === '' || hasValidFormat(name, text) ? null : toErrorSentence(form.fault);
}

/** Returns query parameters for `GET /api/projects/{id}/visits`. */
export function toTimelineQuery(filters: Filters): { [K in FilterKey]?: never[] } {
  const { chips = {} } = filters;
  const activeNames = FILTER_NAMES.filter((name) => filters[name] !== undefined);
  const fields = Object.fromEntries(activeNames.map((name) => [name, [...(chips[name] ?? []), filters[name]]]));
  return { ...(chips as object), ...fields };
}

export const isFiltered = (filters: Filters): boolean => Object.keys(toTimelineQuery(filters)).length > 0;
